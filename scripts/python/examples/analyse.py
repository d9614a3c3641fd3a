#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Analyse a position: the engine's best lines with their scores, in SAN."""

import chess.engine

import common


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--engine", default=common.default_engine(), help="the UCI engine")
    parser.add_argument("--multipv", type=int, default=3, help="how many lines")
    parser.add_argument("--threads", type=int, default=1, help="search threads")
    common.add_limits(parser, movetime=2.0)
    arguments = parser.parse_args()
    board = common.board(parser, arguments)
    print(f"{board.unicode(borders=True)}\n{board.fen()}\n{common.verdict(board)}")
    if board.is_game_over():
        return

    with chess.engine.SimpleEngine.popen_uci(arguments.engine) as engine:
        engine.configure({"Threads": arguments.threads})
        lines = engine.analyse(board, common.limit(arguments), multipv=arguments.multipv)
    for line in lines:
        score = line["score"].white()
        text = f"#{score.mate():+d}" if score.is_mate() else f"{(score.score() or 0) / 100:+.2f}"
        print(f"{text:>7}  depth {line['depth']:>2}  {board.variation_san(line['pv'])}")


if __name__ == "__main__":
    main()
