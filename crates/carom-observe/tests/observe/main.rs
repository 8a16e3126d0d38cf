//! What is measured in gases, against what is known exactly, by hand or from other methods.

mod order;
mod periodic;
mod pressure;
mod voronoi;
mod xyz;
