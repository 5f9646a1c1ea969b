//! Weighted pushdown systems: post*, weighted automata, path summaries and witnesses.
