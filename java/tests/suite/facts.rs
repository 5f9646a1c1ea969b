//! Dominators, loops, liveness and uses are compared with slow computations from their definitions.

use java::ir::{Block, BlockId, Body, Dominators, Liveness, LoopId, Loops, StatementId, Use, Uses, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Checks all facts of a body, unless it is too large.
pub fn check(body: &Body) {
    if body.blocks().len() > 80 || body.variables() > 1000 {
        return;
    }
    dominators(body);
    loops(body);
    liveness(body);
    uses(body);
}

fn ids(body: &Body) -> Vec<BlockId> {
    body.blocks().map(|(id, _)| id).collect()
}

fn successors(body: &Body, block: BlockId) -> Vec<BlockId> {
    body.block(block).edges().map(|edge| edge.target).collect()
}

/// The blocks of a set that can be reached from a block through blocks of the set.
fn reached(body: &Body, from: BlockId, through: &BTreeSet<BlockId>) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        let next = successors(body, block).into_iter().filter(|next| through.contains(next) && found.insert(*next));
        open.extend(next.collect::<Vec<_>>());
    }
    found
}

fn dominators(body: &Body) {
    let dominators = Dominators::new(body);
    let all: BTreeSet<BlockId> = ids(body).into_iter().collect();
    for one in &all {
        let others: BTreeSet<BlockId> = all.iter().copied().filter(|other| other != one).collect();
        let mut without = reached(body, BlockId::ENTRY, &others);
        without.insert(BlockId::ENTRY);
        for other in &all {
            let expected = one == other || *one == BlockId::ENTRY || !without.contains(other);
            assert_eq!(dominators.dominates(*one, *other), expected, "{one} {other}");
        }
    }
    for one in &all {
        let strict: Vec<_> = all.iter().filter(|other| *other != one && dominators.dominates(**other, *one)).collect();
        let nearest = strict.iter().find(|near| strict.iter().all(|far| dominators.dominates(**far, ***near)));
        assert_eq!(dominators.parent(*one), nearest.map(|near| **near));
        assert!(dominators.children(*one).all(|child| dominators.parent(child) == Some(*one)));
    }
}

/// Each loop by its members, with its heads and its depth.
type Found = BTreeMap<BTreeSet<BlockId>, (BTreeSet<BlockId>, usize)>;

/// Adds the loops among some blocks.
fn slow_loops(body: &Body, among: &BTreeSet<BlockId>, depth: usize, found: &mut Found) {
    let reach: BTreeMap<_, _> = among.iter().map(|block| (*block, reached(body, *block, among))).collect();
    for block in among.iter().filter(|block| reach[block].contains(block)) {
        let members: BTreeSet<BlockId> = among
            .iter()
            .copied()
            .filter(|other| reach[block].contains(other) && reach[other].contains(block))
            .collect();
        if members.first() != Some(block) {
            continue;
        }
        let enters = |head: &BlockId| {
            let from = ids(body).into_iter().filter(|from| !members.contains(from));
            from.into_iter().any(|from| successors(body, from).contains(head))
        };
        let heads: BTreeSet<BlockId> = members.iter().copied().filter(enters).collect();
        let inner = members.difference(&heads).copied().collect();
        found.insert(members, (heads, depth));
        slow_loops(body, &inner, depth + 1, found);
    }
}

fn loops(body: &Body) {
    let loops = Loops::new(body, &|| false).expect("the computation is not cancelled");
    let mut expected = Found::new();
    slow_loops(body, &ids(body).into_iter().collect(), 0, &mut expected);
    let members = |id: LoopId| loops.members(id).iter().copied().collect::<BTreeSet<_>>();
    let heads = |id: LoopId| loops.heads(id).iter().copied().collect::<BTreeSet<_>>();
    let found: Found = loops.all().map(|id| (members(id), (heads(id), loops.depth(id)))).collect();
    assert_eq!(found, expected);
    assert_eq!(loops.all().len(), expected.len());
    for id in loops.all() {
        assert!(loops.parent(id).is_none_or(|parent| parent < id && members(parent).is_superset(&members(id))));
        assert!(ids(body).into_iter().all(|block| loops.contains(id, block) == members(id).contains(&block)));
    }
    for block in ids(body) {
        let around = loops.all().filter(|id| loops.contains(*id, block));
        assert_eq!(loops.innermost(block), around.max_by_key(|id| loops.depth(*id)));
        for next in successors(body, block) {
            let both = loops.all().filter(|id| loops.contains(*id, block) && loops.contains(*id, next));
            let repeated = both.max_by_key(|id| loops.depth(*id)).filter(|id| heads(*id).contains(&next));
            assert_eq!(loops.repeats(block, next), repeated);
        }
    }
}

type Live = BTreeSet<Variable>;

/// The live variables before each statement and before the end of a block, from the live variables at the start of
/// blocks.
fn live_in_block(body: &Body, block: &Block, starts: &BTreeMap<BlockId, Live>) -> Vec<Live> {
    let through = |edge: &java::ir::Edge| {
        let target = body.block(edge.target);
        let mut live = starts[&edge.target].clone();
        live.retain(|one| !target.parameters.contains(one) && target.caught != Some(*one));
        live.extend(&edge.arguments);
        live
    };
    let mut live: Live = block.end.uses().iter().copied().collect();
    let thrown = block.handlers.iter().map(|thrown| &thrown.edge);
    block.end.edges().into_iter().chain(thrown).for_each(|edge| live.extend(through(edge)));
    let mut all = vec![live.clone()];
    for statement in block.statements.iter().rev() {
        if let Some(to) = statement.to {
            live.remove(&to);
        }
        live.extend(statement.operation.uses());
        statement.handlers.iter().for_each(|thrown| live.extend(through(&thrown.edge)));
        all.push(live.clone());
    }
    all.reverse();
    all
}

fn liveness(body: &Body) {
    let liveness = Liveness::new(body, &|| false).expect("the computation is not cancelled");
    let mut starts: BTreeMap<BlockId, Live> = ids(body).into_iter().map(|id| (id, Live::new())).collect();
    loop {
        let next = |(id, block)| (id, live_in_block(body, block, &starts).swap_remove(0));
        let next: BTreeMap<BlockId, Live> = body.blocks().map(next).collect();
        if next == starts {
            break;
        }
        starts = next;
    }
    let set = |live: Vec<Variable>| {
        let count = live.len();
        let set: Live = live.into_iter().collect();
        assert_eq!(set.len(), count, "each variable is there once");
        set
    };
    let variables = Uses::new(body);
    for (id, block) in body.blocks() {
        let expected = live_in_block(body, block, &starts);
        assert_eq!(set(liveness.at_start(id)), expected[0], "{id}");
        assert_eq!(set(liveness.at_end(id)), expected[block.statements.len()], "{id}");
        for (index, live) in (0..).zip(&expected[..block.statements.len()]) {
            let statement = StatementId { block: id, index };
            assert_eq!(set(liveness.before(statement)), *live, "{statement:?}");
            assert_eq!(set(liveness.after(statement)), expected[index as usize + 1], "{statement:?}");
            for variable in variables.all() {
                assert_eq!(liveness.is_live_before(statement, variable), live.contains(&variable));
                let after = expected[index as usize + 1].contains(&variable);
                assert_eq!(liveness.is_live_after(statement, variable), after);
            }
        }
        for variable in variables.all() {
            assert_eq!(liveness.is_live_at_start(id, variable), expected[0].contains(&variable));
        }
    }
}

fn uses(body: &Body) {
    let uses = Uses::new(body);
    assert_eq!(uses.all().len(), body.variables());
    let mut count = 0;
    for variable in uses.all() {
        let found = uses.of(variable);
        count += found.len();
        for used in found {
            let is_right = match *used {
                Use::Statement(statement) => body.statement(statement).operation.uses().contains(&variable),
                Use::End(block) => body.block(block).end.uses().contains(&variable),
                Use::Argument { from, to } => body.block(from).edges().any(|edge| {
                    let pairs = edge.arguments.iter().zip(&body.block(edge.target).parameters);
                    pairs.into_iter().any(|pair| pair == (&variable, &to))
                }),
            };
            assert!(is_right, "{used:?}");
        }
    }
    let mut expected = BTreeSet::new();
    for (id, block) in body.blocks() {
        let operands =
            block.statements.iter().zip(0_u32..).map(|(statement, index)| (statement.operation.uses(), index));
        expected.extend(operands.flat_map(|(uses, index)| uses.into_iter().map(move |one| (one, id, index, None))));
        expected.extend(block.end.uses().iter().map(|one| (*one, id, u32::MAX, None)));
        for edge in block.edges() {
            let pairs = edge.arguments.iter().zip(&body.block(edge.target).parameters);
            expected.extend(pairs.map(|(one, to)| (*one, id, u32::MAX, Some(*to))));
        }
    }
    assert_eq!(count, expected.len());
}
