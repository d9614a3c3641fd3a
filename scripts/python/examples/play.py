#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Play a game against the engine in the terminal: moves in SAN (ERf1, De5) or coordinates."""

import datetime

import chess.engine
import chess.pgn

import common


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--engine", default=common.default_engine(), help="the UCI engine")
    parser.add_argument("--side", choices=["white", "black"], default="white", help="yours")
    parser.add_argument("--elo", type=int, help="how strong the engine plays, if not as it can")
    parser.add_argument("--pgn", help="append the game to this file")
    common.add_limits(parser, movetime=1.0)
    arguments = parser.parse_args()
    board = common.board(parser, arguments)
    human = arguments.side == "white"

    with chess.engine.SimpleEngine.popen_uci(arguments.engine) as engine:
        if arguments.elo:
            engine.configure({"UCI_LimitStrength": True, "UCI_Elo": arguments.elo})
        print("Commands: moves, undo, quit.")
        while not board.is_game_over():
            if board.turn == human:
                print(f"\n{board.unicode(borders=True, orientation=human)}")
                try:
                    text = input(f"{board.fullmove_number}{'.' if board.turn else '...'} ").strip()
                except EOFError:
                    break
                if text == "quit":
                    break
                if text == "moves":
                    print(" ".join(sorted(map(board.san, board.legal_moves))))
                elif text == "undo":
                    for _ in range(min(2, len(board.move_stack) // 2 * 2)):
                        board.pop()
                elif text:
                    try:
                        move = board.parse_san(text)
                        if not move:
                            raise ValueError("nobody may pass")
                        board.push(move)
                    except ValueError as error:
                        print(error)
            else:
                move = engine.play(board, common.limit(arguments)).move
                if move is None:
                    raise SystemExit("the engine found no move")
                print(f"The engine plays {board.san(move)}.")
                board.push(move)

    print(f"\n{board.unicode(borders=True, orientation=human)}\n{common.verdict(board)}")
    if arguments.pgn:
        game = chess.pgn.Game.from_board(board)
        players = ["you", "engine"] if human else ["engine", "you"]
        game.headers["White"], game.headers["Black"] = players
        game.headers["Date"] = datetime.date.today().strftime("%Y.%m.%d")
        with open(arguments.pgn, "a", encoding="utf-8") as file:
            print(game, end="\n\n", file=file)


if __name__ == "__main__":
    main()
