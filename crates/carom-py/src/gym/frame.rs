//! Pictures as arrays of pixels.

use super::task::Failed;

/// Width, height and three bytes for each pixel.
pub(crate) struct Frame {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<u8>,
}

impl Frame {
    /// The pixels of a PNG of eight bits a channel.
    pub(crate) fn of_png(bytes: &[u8]) -> Result<Frame, Failed> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let size = reader.output_buffer_size().ok_or(Failed("the picture is too large".to_owned()))?;
        let mut buffer = vec![0; size];
        let info = reader.next_frame(&mut buffer)?;
        let (samples, [width, height]) = (info.color_type.samples(), [info.width, info.height]);
        let pixel =
            |sample: &[u8]| if samples < 3 { [sample[0]; 3] } else { [sample[0], sample[1], sample[2]] };
        let pixels = buffer[..info.buffer_size()].chunks_exact(samples).flat_map(pixel).collect();
        Ok(Frame { width: width as usize, height: height as usize, pixels })
    }
}
