//! What the library itself costs a program: each figure beside its goal, in processes of their own.
#![expect(clippy::print_stdout, reason = "the figures go to standard output")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot set up its node has no figure to give")]

#[path = "../tests/processes/common.rs"]
mod common;

use berth_fake_nvml::{
    mig,
    state::{NodeConfig, State},
};
use common::Node;

/// Processes of which the median is taken.
const RUNS: usize = 31;

fn main() {
    let node = Node::new(&NodeConfig::uniform("h100-sxm-80gb", 8));
    report("8-gpus", &node, 1_000_000);
    node.store.edit(cut).unwrap();
    report("56-mig-devices", &node, 1_000_000);
}

/// Seven MIG devices on each GPU.
fn cut(state: &mut State) {
    for minor in 0..8 {
        let (gpu, product) = state.gpu_mut(minor).unwrap();
        (gpu.mig.enabled, gpu.mig.pending) = (true, true);
        for _instance in 0..7 {
            let id = mig::create_gpu_instance(product.mig.as_ref(), &mut gpu.mig, 19, None).unwrap();
            mig::create_compute_instance(product.mig.as_ref(), &mut gpu.mig, id, 0, None).unwrap();
        }
    }
}

fn report(name: &str, node: &Node, goal: u128) {
    let runs: Vec<[u128; 3]> = (0..RUNS).map(|_| measure(node)).collect();
    let [init, describe, call] =
        [0, 1, 2].map(|which| median(runs.iter().filter_map(|run| run.get(which).copied())));
    let verdict = |figure, goal| if figure <= goal { "met" } else { "missed" };
    let all = init + describe;
    println!("bench fake-nvml-{name}-init {init} ns goal {goal} {}", verdict(init, goal));
    println!("bench fake-nvml-{name}-init-and-queries {all} ns goal {goal} {}", verdict(all, goal));
    println!("bench fake-nvml-{name}-call {call} ns goal 1000 {}", verdict(call, 1000));
}

fn measure(node: &Node) -> [u128; 3] {
    let answer = node.client().ask("time");
    let mut numbers = answer.split_whitespace().filter_map(|word| word.parse().ok());
    std::array::from_fn(|_| numbers.next().unwrap())
}

fn median(figures: impl Iterator<Item = u128>) -> u128 {
    let mut figures: Vec<u128> = figures.collect();
    figures.sort_unstable();
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
