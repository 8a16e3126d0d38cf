//! Tables as Markdown.

use crate::measure::{Measured, Work};
use crate::reference::{self, Reference};

/// Rates and memory beside the reference, and the work.
pub(crate) fn print(measured: &[Measured]) {
    println!(
        "Million collisions per CPU second: the median of seven stretches and the best; and what \
         \"Single\" does on the server of docs/benchmarks.md.\n"
    );
    println!("| discs | packing | Carom | best | bytes a disc | Single | ratio | its bytes |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for Measured { crowd, median, best, bytes_per_disc, .. } in measured {
        let (rate, best) = (median / 1e6, best / 1e6);
        let theirs = match reference::find(crowd.discs, crowd.packing) {
            Some(Reference { rate: theirs, bytes, .. }) => {
                format!("{theirs:.2} | {:.2} | {bytes}", rate / theirs)
            }
            None => " | | ".to_owned(),
        };
        println!(
            "| {} | {} | {rate:.2} | {best:.2} | {bytes_per_disc:.0} | {theirs} |",
            crowd.discs, crowd.packing
        );
    }
    let [pair_times, again] = reference::WORK;
    println!(
        "\nPer collision. A plan is one disc's next event; a circle is where its list of neighbours was \
         made. \"Single\" \
         decides {pair_times} pair times and predicts {again} times again (1024 discs, packing 0.5).\n"
    );
    println!("| discs | packing | pair times | plans | of them again | circles | queue operations |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for Measured { crowd, work, .. } in measured {
        let Work { pair_times, plans, plans_again, circles, queue_operations } = work;
        println!(
            "| {} | {} | {pair_times:.1} | {plans:.2} | {plans_again:.2} | {circles:.3} | \
             {queue_operations:.2} |",
            crowd.discs, crowd.packing
        );
    }
}
