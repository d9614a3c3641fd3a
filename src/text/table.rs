//! The table of texts: each line is a name, the English text and the Portuguese one. `{…}` is a place
//! to be filled, see [`fill`](super::fill).

/// Makes [`Texts`] and a constant of it for each language.
macro_rules! texts {
    ($($name:ident = $english:literal | $portuguese:literal;)*) => {
        /// What is said to people in one language. Each field is named after its English text.
        #[allow(missing_docs)]
        pub struct Texts {
            $(pub $name: &'static str,)*
        }

        pub(super) const ENGLISH: Texts = Texts { $($name: $english,)* };
        pub(super) const PORTUGUESE: Texts = Texts { $($name: $portuguese,)* };

        /// Name, English text, Portuguese text.
        #[cfg(test)]
        pub(super) fn pairs() -> Vec<(&'static str, &'static str, &'static str)> {
            vec![$((stringify!($name), $english, $portuguese),)*]
        }
    };
}

texts! {
    // The game.
    white = "White" | "Brancas";
    black = "Black" | "Pretas";
    of_white = "White's" | "das brancas";
    of_black = "Black's" | "das pretas";
    todays_edition = "Capture or Conquer" | "Captura ou Conquista";
    earlier_edition = "Capture or Conquer, earlier edition" | "Captura ou Conquista, edição anterior";
    chess = "Chess" | "Xadrez";
    capture = "capture" | "Captura";
    conquest = "conquest" | "Conquista";
    repetition = "repetition" | "repetição";
    no_moves = "no-moves" | "falta de lances";
    checkmate = "checkmate" | "xeque-mate";
    stalemate = "stalemate" | "afogamento";
    fifty_moves = "fifty-moves" | "regra dos 50 lances";
    insufficient = "insufficient" | "material insuficiente";
    elimination = "elimination" | "eliminação";
    blocked = "blocked" | "bloqueio";
    no_progress = "no-progress" | "falta de capturas";
    wins_by = "{side} wins by {reason}" | "{side} vencem por {reason}";
    draw_by = "a draw by {reason}" | "empate por {reason}";
    to_move = "{side} to move" | "{side} jogam";
    move_one = "move" | "lance";
    move_many = "moves" | "lances";

    // analyse
    depth = "depth" | "profundidade";
    nodes = "nodes" | "posições";
    per_second = "M/s" | "M/s";
    thinking = "thinking…" | "pensando…";
    best_move = "best {move}" | "melhor {move}";
    solved = "solved in {time} s" | "resolvido em {time} s";
    not_solved = "not solved" | "não resolvido";
    solved_total = "solved {solved} of {total}" | "resolvidos {solved} de {total}";
    solved_times = "time to solution: median {median} s, longest {longest} s, together {sum} s"
        | "tempo até a solução: mediana {median} s, maior {longest} s, total {sum} s";
    wanted_best = "wanted {moves}" | "esperado {moves}";
    wanted_avoided = "to be avoided {moves}" | "a evitar {moves}";
    wanted_win = "wanted a win in {moves}" | "esperada vitória em {moves}";

    // review
    inaccuracy = "Inaccuracy" | "Imprecisão";
    mistake = "Mistake" | "Erro";
    blunder = "Blunder" | "Erro grave";
    inaccuracies = "Inaccuracies" | "Imprecisões";
    mistakes = "Mistakes" | "Erros";
    blunders = "Blunders" | "Erros graves";
    accuracy = "Accuracy" | "Precisão";
    missed_capture = "misses the Capture of the King: {move}" | "deixa passar a Captura do Rei: {move}";
    missed_conquest = "misses a Conquest: {move}" | "deixa passar uma Conquista: {move}";
    missed_escort_conquest = "misses a Conquest by Escort: {move}"
        | "deixa passar uma Conquista por Escolta: {move}";
    missed_end = "misses a win by {reason}: {move}" | "deixa passar a vitória por {reason}: {move}";
    ultimatum_ignored = "ignores the Ultimatum: {move} would have taken the King on {square}"
        | "ignora o Ultimato: {move} teria capturado o Rei em {square}";
    missed_escort = "misses the Escort {move}" | "deixa passar a Escolta {move}";
    missed_decoy = "misses the Decoy {move}" | "deixa passar o Chamariz {move}";
    king_exposed = "lets the King be taken: {move}" | "deixa o Rei ser capturado: {move}";
    conquest_allowed = "allows a Conquest: {move}" | "permite uma Conquista: {move}";
    repetition_free = "repeats the position for the third time without being forced: {loser} loses"
        | "repete a posição pela terceira vez sem ser forçado: {loser} perdem";
    repetition_attacked = "repeats the position for the third time, forced because the King was attacked: {loser} loses"
        | "repete a posição pela terceira vez, forçado porque o Rei estava atacado: {loser} perdem";
    repetition_only = "repeats the position for the third time, forced because there was no other move: {loser} loses"
        | "repete a posição pela terceira vez, forçado porque não havia outro lance: {loser} perdem";
    best_was = "best was {move}" | "o melhor era {move}";
    game_number = "Game {number}" | "Partida {number}";
    chance_from_to = "{before} % to {after} %" | "de {before} % para {after} %";
    no_marks = "no move to be marked" | "nenhum lance a marcar";
    chance_of_white = "White's chance to win" | "Chance de vitória das brancas";
    looking = "game {number} of {total}" | "partida {number} de {total}";
    review_title = "Game review" | "Análise da partida";
    turning_points = "Turning points" | "Momentos decisivos";
    best_line = "Best" | "Melhor";
    move_axis = "move" | "lance";
    start_position = "Start position" | "Posição inicial";
    show_best = "Show the best move" | "Mostrar o melhor lance";
    flip_board = "Flip" | "Girar";
    first_move = "First" | "Início";
    previous_move = "Back" | "Voltar";
    next_move = "Next" | "Avançar";
    last_move = "Last" | "Fim";
    made_by = "Reviewed by usurper at {limit} a move; ← and → walk through the game."
        | "Análise do usurper com {limit} por lance; ← e → percorrem a partida.";
    no_moves_played = "No moves were played." | "Nenhum lance foi jogado.";

    // A board.
    ultimatum_now = "ultimatum: {side} must take the King on {square} now"
        | "Ultimato: {side} precisam capturar o Rei em {square} agora";
    king_on_goal = "{of} King is on its goal rank, attacked"
        | "o Rei {of} está na última fileira inimiga, atacado";
    king_attacked = "{of} King is attacked" | "o Rei {of} está atacado";
    stands_second = "the position stands for the second time" | "a posição aparece pela segunda vez";
    stands_third = "the position stands for the third time" | "a posição aparece pela terceira vez";
    stood_times = "the position has stood {times} times" | "a posição apareceu {times} vezes";
    last_played = "last move {move}" | "último lance {move}";
    to_be_placed = "to be placed: {men}" | "a colocar: {men}";
    arrow = "arrow" | "seta";

    // judge
    label_edition = "Edition" | "Edição";
    label_game = "Game" | "Jogo";
    label_played = "Played" | "Jogados";
    label_to_move = "To move" | "Vez";
    label_to_place = "To place" | "A colocar";
    both_sides = "White {white}, Black {black}" | "Brancas {white}, Pretas {black}";
    label_stands = "Stands" | "Posição";
    label_result = "Result" | "Resultado";
    ply_one = "ply" | "meio-lance";
    ply_many = "plies" | "meios-lances";
    its_king_attacked = "{side}, its King attacked" | "{side}, Rei atacado";
    first_time = "for the first time" | "pela primeira vez";
    second_time = "for the second time" | "pela segunda vez";
    so_many_times = "{times} times" | "{times} vezes";
    none_yet = "none yet" | "nenhum ainda";
    legal_move_one = "legal move" | "lance legal";
    legal_move_many = "legal moves" | "lances legais";
    ending_moves = "Moves that end the game" | "Lances que terminam a partida";

    // perft
    perft_time = "Time: {seconds} s, {rate} million nodes a second"
        | "Tempo: {seconds} s, {rate} milhões de posições por segundo";

    // solve
    solved_win = "{side} wins in {moves} ({plies}): {winners}" | "{side} vencem em {moves} ({plies}): {winners}";
    solved_none = "no win within {moves}: {side} cannot force one in {plies} or fewer"
        | "nenhuma vitória em até {moves}: {side} não conseguem forçar uma em {plies} ou menos";
    solved_in_part = "stopped: {side} has no forced win within {plies}; beyond that nothing is proved"
        | "interrompido: {side} não têm vitória forçada em até {plies}; além disso nada está provado";
    solve_nodes = "{nodes} nodes, {seconds} s" | "{nodes} posições, {seconds} s";
    solve_progress = "no win within {plies}, {nodes} nodes, {rate} M/s"
        | "nenhuma vitória em até {plies}, {nodes} posições, {rate} M/s";
    move_wins_by = "{move}  wins by {reason}" | "{move}  vence por {reason}";
    loses_by = "loses by {reason}" | "perde por {reason}";

    // tablebase
    table_summary = "{material}  won {won}, lost {lost}, unresolved {unresolved}, longest {plies}: {fen} ({seconds} s)"
        | "{material}  vitórias {won}, derrotas {lost}, sem decisão {unresolved}, a mais longa {plies}: {fen} ({seconds} s)";
    table_win = "{side} wins in {moves} ({plies})" | "{side} vencem em {moves} ({plies})";
    table_loss = "{side} loses in {moves} ({plies})" | "{side} perdem em {moves} ({plies})";
    table_unresolved = "unresolved: neither side can force the end, only the repetition rule decides"
        | "sem decisão: nenhum lado consegue forçar o fim, só a regra da repetição decide";
    table_stood_twice = "a position of this game has stood twice: its third time would come first"
        | "uma posição desta partida já apareceu duas vezes: a terceira viria antes";
    table_open_move = "unresolved" | "sem decisão";

    // play
    command_undo = "undo" | "desfazer";
    command_hint = "hint" | "dica";
    command_moves = "moves" | "lances";
    command_flip = "flip" | "girar";
    command_save = "save" | "salvar";
    command_resign = "resign" | "desistir";
    command_help = "help" | "ajuda";
    command_quit = "quit" | "sair";
    moves_that_end = "moves that end the game" | "lances que terminam a partida";
    play_help = "  MOVE           {moves}
  undo           take back your last move and the answer
  hint           what the engine would play
  moves          all legal moves
  flip           turn the board
  save [FILE]    save now; with FILE keep the game there from now on
  resign         give up
  help           this
  quit           end; the game is saved
{rules}"
        | "  LANCE          {moves}
  desfazer       volta o seu último lance e a resposta
  dica           o que o motor jogaria
  lances         todos os lances legais
  girar          gira o tabuleiro
  salvar [ARQ]   salva agora; com ARQ, a partida fica nesse arquivo
  desistir       desiste
  ajuda          esta ajuda
  sair           termina; a partida fica salva
As palavras inglesas (undo, hint …) também valem. {rules}";
    help_moves = "e2e4, Nf3, ERf1, De5: coordinates or letters"
        | "e2e4, Cf3, ERf1, De5: coordenadas ou letras";
    help_board_moves = "written like {move}; the command moves shows all"
        | "escrito como {move}; o comando lances mostra todos";
    help_rules = "The rules stand in docs/rules.md: Escorts and Decoys, how a game ends."
        | "As regras estão em docs/rules.md, em inglês.";
    help_board_rules = "The rules stand in protocol.md, chapter Five board games."
        | "As regras estão em protocol.md, capítulo Five board games, em inglês.";
    game_is_in = "the game is in {file}" | "a partida está em {file}";
    going_on_after = "going on after {plies}" | "continuando depois de {plies}";
    your_move = "your move in any notation, or a command: help lists them"
        | "seu lance em qualquer notação, ou um comando: ajuda mostra a lista";
    your_board_move = "your move, written like {move}, or a command: help lists them"
        | "seu lance, escrito como {move}, ou um comando: ajuda mostra a lista";
    takes_nothing = "{word} takes nothing after it, not {rest}" | "{word} não leva nada depois, nem {rest}";
    over_already = "{word}: the game is over" | "{word}: a partida acabou";
    see_moves = "{error}; see moves and help" | "{error}; veja lances e ajuda";
    undo_takes_back = "{result}; undo takes the move back" | "{result}; desfazer volta o lance";
    not_saved = "not saved: {error}; `save FILE` keeps the game elsewhere"
        | "não foi salva: {error}; `salvar ARQ` guarda a partida em outro lugar";
    engine_plays = "{engine} plays {move}" | "{engine} joga {move}";
    hint = "hint: {move}" | "dica: {move}";
    over_no_moves = "the game is over: there are no moves" | "a partida acabou: não há lances";
    nothing_to_undo = "undo: there is nothing to take back" | "desfazer: não há lance a voltar";
    resigns = "{loser} resigns, {winner} wins" | "{loser} desistem, {winner} vencem";
    saved_as = "saved as {file}" | "salva em {file}";
    wins_in = "wins in {moves}" | "vence em {moves}";
    loses_in = "loses in {moves}" | "perde em {moves}";
}
