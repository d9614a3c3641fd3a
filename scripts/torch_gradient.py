#!/usr/bin/env python3
"""The loss and its gradient for three positions by PyTorch: what `tests/training.rs` compares the trainer with.

    pip install torch && scripts/torch_gradient.py > tests/training/torch.json

The network is stated here once more, from the description of its file: 768 inputs twice, 16 hidden units, SCReLU, one output
on top of a base, squared distance of winning chances. The parameters are a formula of their place.
"""

import json

import torch

HIDDEN = 16
LAMBDA = 0.3
SCALE = 180.0
SAMPLES = [
    {"fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "score": 35, "result": 1.0, "base": 20},
    {"fen": "2B2r1k/1p4p1/6P1/2p2K2/8/8/P6P/1q6 b - - 3 31", "score": -240, "result": 0.0, "base": -75},
    {"fen": "r3k3/5pp1/2n5/3Np3/8/4BQ2/PPP2P1P/R5K1 b - - 0 24", "score": -610, "result": 1.0, "base": 0},
]


def inputs(fen):
    """768 numbers as the side to move sees the board, and as the other does."""
    placement, side = fen.split()[:2]
    views = []
    for white in (side == "w", side != "w"):
        view = torch.zeros(768, dtype=torch.float64)
        for row, line in enumerate(placement.split("/")):
            file = 0
            for letter in line:
                if letter.isdigit():
                    file += int(letter)
                    continue
                own = letter.isupper() == white
                rank = 7 - row if white else row
                view[(0 if own else 384) + 64 * "pnbrqk".index(letter.lower()) + 8 * rank + file] = 1
                file += 1
        views.append(view)
    return views


def main():
    length = 768 * HIDDEN + HIDDEN + 2 * HIDDEN + 1
    values = [((i * 7919 % 1009) / 1009 - 0.45) / 2 for i in range(length)]
    parameters = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    features = parameters[: 768 * HIDDEN].view(768, HIDDEN)
    bias = parameters[768 * HIDDEN : 769 * HIDDEN]
    output = parameters[769 * HIDDEN : 771 * HIDDEN]
    loss = torch.zeros((), dtype=torch.float64)
    for sample in SAMPLES:
        units = torch.cat([view @ features + bias for view in inputs(sample["fen"])])
        logit = (units.clamp(0, 1) ** 2) @ output + parameters[-1] + sample["base"] / SCALE
        score = torch.sigmoid(torch.tensor(sample["score"] / SCALE, dtype=torch.float64))
        target = LAMBDA * score + (1 - LAMBDA) * sample["result"]
        loss = loss + (torch.sigmoid(logit) - target) ** 2
    loss.backward()
    gradient = parameters.grad
    rows = [row for row in range(768) if gradient[row * HIDDEN : (row + 1) * HIDDEN].any()]
    slopes = [g for row in rows for g in gradient[row * HIDDEN : (row + 1) * HIDDEN].tolist()]
    print(json.dumps({
        "torch": torch.__version__.split("+")[0],
        "samples": SAMPLES,
        "loss": loss.item(),
        "rows": rows,
        "slopes": [float(f"{g:.7g}") for g in slopes],
        "tail": [float(f"{g:.7g}") for g in gradient[768 * HIDDEN :].tolist()],
    }))


if __name__ == "__main__":
    main()
