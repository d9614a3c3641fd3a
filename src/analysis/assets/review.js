"use strict";
(() => {
  const games = JSON.parse(document.getElementById("games").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const FIELD = 45, EDGE = 8;
  const pages = [...document.querySelectorAll("section.game")];
  const state = games.map(() => ({ ply: 0, flip: false }));
  let current = 0;

  const shape = (name, attributes) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const corner = (square, flip) => {
    const file = square.charCodeAt(0) - 97, rank = square.charCodeAt(1) - 49;
    return [EDGE + FIELD * (flip ? 7 - file : file), EDGE + FIELD * (flip ? rank : 7 - rank)];
  };
  const centre = (square, flip) => corner(square, flip).map((value) => value + FIELD / 2);

  /* An arrow that bends to its left, so that King and supporter do not hide one another. */
  const arrow = (from, to, flip, color, bend) => {
    const [x1, y1] = centre(from, flip), [x2, y2] = centre(to, flip);
    const cx = (x1 + x2) / 2 + (y2 - y1) * bend, cy = (y1 + y2) / 2 - (x2 - x1) * bend;
    const reach = Math.max(1, Math.hypot(x2 - cx, y2 - cy));
    const ux = (x2 - cx) / reach, uy = (y2 - cy) / reach;
    const tip = [x2 - 4 * ux, y2 - 4 * uy], base = [tip[0] - 13 * ux, tip[1] - 13 * uy];
    const group = shape("g", { class: "arrow", "data-from": from, "data-to": to, opacity: 0.85 });
    group.append(
      shape("path", { d: `M${x1} ${y1} Q${cx} ${cy} ${base[0]} ${base[1]}`, fill: "none", stroke: color, "stroke-width": 5, "stroke-linecap": "round" }),
      shape("path", { d: `M${tip[0]} ${tip[1]} L${base[0] - 8 * uy} ${base[1] + 8 * ux} L${base[0] + 8 * uy} ${base[1] - 8 * ux}z`, fill: color }),
    );
    return group;
  };

  const draw = (page, game, position, flip, showBest) => {
    const board = page.querySelector(".board");
    board.replaceChildren(shape("rect", { width: 376, height: 376, rx: 6, fill: "#4a3426" }));
    board.dataset.fen = position.fen;
    board.setAttribute("aria-label", position.fen);
    for (let index = 0; index < 64; index++) {
      const file = index % 8, rank = Math.floor(index / 8);
      const name = String.fromCharCode(97 + file) + (rank + 1);
      const light = (file + rank) % 2 === 1, goal = game.conquest && (rank === 0 || rank === 7);
      const fill = goal ? (light ? "#f4d873" : "#d3a52f") : light ? "#eeddc0" : "#b58a62";
      const [x, y] = corner(name, flip);
      board.append(shape("rect", { class: "square", x, y, width: FIELD, height: FIELD, fill }));
      const ink = light ? "#8a6643" : "#f2e4cb";
      if ((flip ? 7 - file : file) === 0) {
        const text = shape("text", { x: x + 2.5, y: y + 10, "font-size": 9, fill: ink });
        text.textContent = rank + 1;
        board.append(text);
      }
      if ((flip ? 7 - rank : rank) === 0) {
        const text = shape("text", { x: x + FIELD - 7.5, y: y + FIELD - 3, "font-size": 9, fill: ink });
        text.textContent = name[0];
        board.append(text);
      }
    }
    for (const square of position.last) {
      const [x, y] = corner(square, flip);
      board.append(shape("rect", { class: "last", x, y, width: FIELD, height: FIELD, fill: "#7fb069", opacity: 0.45 }));
    }
    for (const square of position.attacked) {
      const [cx, cy] = centre(square, flip);
      for (const r of [22, 19, 15.5]) board.append(shape("circle", { class: "attacked", cx, cy, r, fill: "#d7263d", opacity: 0.28 }));
    }
    for (const [letter, square] of position.pieces) {
      const [x, y] = corner(square, flip);
      board.append(shape("use", { href: `#piece-${letter}`, class: "piece", "data-piece": letter, "data-square": square, x, y, width: FIELD, height: FIELD }));
    }
    for (const [meaning, square] of position.flags) {
      const [x, y] = corner(square, flip);
      const flag = shape("g", { class: "flag", "data-flag": meaning, transform: `translate(${x} ${y})`, stroke: "#2a211b" });
      flag.append(
        shape("path", { d: "M31 18 v-16", "stroke-width": 1.8 }),
        shape("path", { d: "M31 2.5 q3.5 -2 6 0 t6 0 v7.5 q-3.5 2 -6 0 t-6 0z", fill: meaning === "conquest" ? "#2e8b57" : "#d7263d" }),
      );
      board.append(flag);
    }
    if (!showBest) return;
    const [first, second] = position.best;
    const swap = second && first[0] === second[1];
    if (second) board.append(arrow(second[0], second[1], flip, "#c2571a", swap ? 0.35 : 0));
    if (first) board.append(arrow(first[0], first[1], flip, "#1f6f8b", second ? 0.45 : 0));
  };

  const show = (scroll = true) => {
    const page = pages[current], game = games[current], { ply, flip } = state[current];
    const position = game.positions[ply];
    draw(page, game, position, flip, page.querySelector(".show-best").checked);
    const bar = page.querySelector(".bar");
    bar.classList.toggle("flip", flip);
    bar.firstElementChild.style.height = `${100 * position.white}%`;
    const head = page.querySelector(".note h2");
    head.className = position.mark;
    const [title, score] = [document.createElement("span"), document.createElement("span")];
    title.textContent = position.title;
    score.textContent = position.score;
    head.replaceChildren(title, score);
    page.querySelector(".say").textContent = position.note;
    const line = page.querySelector(".line");
    line.hidden = !position.line;
    line.querySelector("span").textContent = position.line;
    for (const element of page.querySelectorAll("[data-ply]")) {
      element.classList.toggle("now", Number(element.dataset.ply) === ply);
    }
    const list = page.querySelector(".moves"), chosen = list.querySelector(".now");
    if (scroll && chosen) list.scrollTop = chosen.offsetTop - list.offsetTop - list.clientHeight / 2;
  };

  const go = (ply) => {
    state[current].ply = Math.min(Math.max(ply, 0), games[current].positions.length - 1);
    show();
  };
  const act = {
    first: () => go(0),
    back: () => go(state[current].ply - 1),
    next: () => go(state[current].ply + 1),
    last: () => go(Infinity),
    flip: () => { state[current].flip = !state[current].flip; show(); },
  };
  const choose = (game) => {
    current = game;
    pages.forEach((page, index) => { page.hidden = index !== game; });
    document.querySelectorAll(".tab").forEach((tab, index) => tab.classList.toggle("now", index === game));
    show();
  };

  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-ply], [data-go], .tab");
    if (!target) return;
    if (target.matches(".tab")) return choose(Number(target.dataset.game));
    if (target.dataset.go) return act[target.dataset.go]();
    if (target.matches("a")) {
      event.preventDefault();
      pages[current].querySelector(".desk").scrollIntoView({ block: "start" });
    }
    go(Number(target.dataset.ply));
  });
  document.addEventListener("change", () => show(false));
  document.addEventListener("keydown", (event) => {
    const action = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act[action]();
  });
  if (games.length > 0) choose(0);
})();
