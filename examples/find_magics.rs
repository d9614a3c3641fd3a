//! Finds the multipliers in `src/board/magics.rs` again: sparse random numbers from a fixed seed,
//! tried until one maps every set of blockers to a slot of its own or one with the same attacks.
//!
//! `cargo run --release --example find_magics > src/board/magics.rs`

const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];

fn ray(square: i8, (df, dr): (i8, i8)) -> Vec<i8> {
    let (mut file, mut rank) = (square % 8 + df, square / 8 + dr);
    let mut squares = Vec::new();
    while (0..8).contains(&file) && (0..8).contains(&rank) {
        squares.push(rank * 8 + file);
        (file, rank) = (file + df, rank + dr);
    }
    squares
}

fn attacks(square: i8, steps: &[(i8, i8)], occupied: u64) -> u64 {
    let mut set = 0;
    for &step in steps {
        for to in ray(square, step) {
            set |= 1 << to;
            if occupied >> to & 1 == 1 {
                break;
            }
        }
    }
    set
}

fn find(square: i8, steps: &[(i8, i8)], random: &mut impl FnMut() -> u64) -> u64 {
    let mask = steps
        .iter()
        .flat_map(|&s| {
            let squares = ray(square, s);
            squares[..squares.len().saturating_sub(1)].to_vec()
        })
        .fold(0u64, |m, s| m | 1 << s);
    let bits = mask.count_ones();
    let mut subsets = Vec::new();
    let mut blockers = 0u64;
    loop {
        subsets.push((blockers, attacks(square, steps, blockers)));
        blockers = blockers.wrapping_sub(mask) & mask;
        if blockers == 0 {
            break;
        }
    }
    loop {
        let multiplier = random() & random() & random();
        let mut table = vec![0u64; 1 << bits];
        let fits = subsets.iter().all(|&(blockers, set)| {
            let slot = &mut table[(blockers.wrapping_mul(multiplier) >> (64 - bits)) as usize];
            let free = *slot == 0 || *slot == set;
            *slot = set;
            free
        });
        if fits {
            return multiplier;
        }
    }
}

fn main() {
    let mut seed = 20u64;
    let mut random = || {
        seed = seed.wrapping_add(1);
        usurper::board::zobrist::splitmix(seed)
    };
    println!(
        "//! Multipliers for magic bitboards; made by `examples/find_magics.rs`, do not edit.\n"
    );
    for (name, steps) in [("BISHOP", &DIAGONAL), ("ROOK", &ORTHOGONAL)] {
        println!("pub(super) const {name}_MAGICS: [u64; 64] = [");
        for square in 0..64 {
            println!("    {:#018x},", find(square, steps, &mut random));
        }
        println!("];");
    }
}
