//! The `asercheck` command.
fn main() {}
