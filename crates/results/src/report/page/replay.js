// Games are replayed on a board: by buttons, arrow keys, a click on a move or on the curve of scores.
const SQUARES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const MOST_PAWNS = 6;

// Adds to a game its moves as PGN has them, the comment behind each, and its positions: 64 letters each, from a1 to h8.
const unfold = (game) => {
  if (game.positions) return game;
  game.san = [];
  game.notes = [];
  for (const [word, note] of game.pgn.trimEnd().split("\n\n").pop().matchAll(/\{([^}]*)\}|\S+/g)) {
    if (note !== undefined) game.notes[game.san.length - 1] = note;
    else if (!/^(\d+\.+|1-0|0-1|1\/2-1\/2)$/.test(word)) game.san.push(word);
  }
  const [placement, side, , , , number] = game.fen.split(" ");
  game.blackBegins = side === "b";
  game.number = Number(number) || 1;
  const squares = Array(64).fill(".");
  placement.split("/").forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      if (letter >= "1" && letter <= "8") file += Number(letter);
      else squares[(7 - row) * 8 + file++] = letter;
    }
  });
  game.positions = [{ squares: [...squares], moved: [] }];
  game.san.forEach((san, ply) => {
    const from = SQUARES.indexOf(game.moves[2 * ply]);
    let to = SQUARES.indexOf(game.moves[2 * ply + 1]);
    const [piece, captured] = [squares[from], squares[to]];
    squares[from] = ".";
    if (san.startsWith("O-O")) {
      const [long, first] = [san.startsWith("O-O-O"), from - (from % 8)];
      squares[to] = ".";
      to = first + (long ? 2 : 6);
      squares[to] = piece;
      squares[first + (long ? 3 : 5)] = captured;
    } else {
      if (/p/i.test(piece) && (to - from) % 8 && captured === ".") squares[to > from ? to - 8 : to + 8] = ".";
      const promoted = /=([QRBN])/.exec(san)?.[1];
      squares[to] = promoted ? (piece === "P" ? promoted : promoted.toLowerCase()) : piece;
    }
    game.positions.push({ squares: [...squares], moved: [from, to] });
  });
  // Scores from White's side, in pawns; a mate is beyond the ends of the curve.
  game.curve = game.scores.split(" ").map((text, ply) => {
    const value = text[0] === "#" ? (Number(text.slice(1)) > 0 ? 99 : -99) : Number(text) / 100;
    return (ply % 2 === 0) === game.blackBegins ? -value : value;
  });
  return game;
};

// Keys that are pressed outside of all boards are for the one that was used last.
let used = document.querySelector(".replay");

for (const viewer of document.querySelectorAll(".replay")) {
  for (const use of ["pointerdown", "focusin"]) viewer.addEventListener(use, () => (used = viewer));
  const games = JSON.parse(viewer.querySelector("script").textContent);
  const part = (name) => viewer.querySelector("." + name);
  const [choice, moves, board, curve] = [part("game"), part("moves"), viewer.querySelector(".board svg"), viewer.querySelector(".curve svg")];
  const drawn = (parent, name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  };
  const ground = board.querySelector("rect");
  const [left, top, size] = ["x", "y", "width"].map((name) => Number(ground.getAttribute(name)));
  const names = board.querySelectorAll("text");
  const marks = document.createElementNS("http://www.w3.org/2000/svg", "g");
  board.querySelectorAll("use").forEach((use) => use.remove());
  board.append(marks);
  let [game, ply, flipped] = [null, 0, false];

  const placement = (squares) => {
    const rank = (row) => squares.slice(row * 8, row * 8 + 8).join("").replace(/\.+/g, (empty) => empty.length);
    return [7, 6, 5, 4, 3, 2, 1, 0].map(rank).join("/");
  };
  const nameOf = (at) => {
    const turn = at - 1 + (game.blackBegins ? 1 : 0);
    return game.number + Math.floor(turn / 2) + (turn % 2 ? "... " : ". ") + game.san[at - 1];
  };
  const said = (at) => {
    const note = (game.notes[at - 1] ?? "").replace(/^([^ /]+)\/(\d+)/, "score $1 for its side, depth $2").replace(/\bn=(\d+)/, "$1 nodes");
    return nameOf(at) + (note && ": " + note);
  };
  const x = (at) => 46 + (700 * at) / Math.max(game.san.length, 1);
  const y = (pawns) => 90 - (Math.max(-MOST_PAWNS, Math.min(MOST_PAWNS, pawns)) * 74) / MOST_PAWNS;

  // Shows the position after `wanted` moves.
  const show = (wanted) => {
    ply = Math.max(0, Math.min(game.san.length, wanted));
    const { squares, moved } = game.positions[ply];
    marks.replaceChildren();
    const place = (square) => {
      const [file, rank] = [square % 8, Math.floor(square / 8)];
      const [column, row] = flipped ? [7 - file, rank] : [file, 7 - rank];
      return { x: left + (column * size) / 8, y: top + (row * size) / 8, width: size / 8, height: size / 8 };
    };
    for (const square of moved) drawn(marks, "rect", { ...place(square), class: "fm" });
    squares.forEach((piece, square) => {
      if (piece === ".") return;
      const colour = piece === piece.toUpperCase() ? "pw" : "pb";
      drawn(marks, "use", { ...place(square), href: "#piece-" + piece.toLowerCase(), class: colour });
    });
    names.forEach((name, index) => {
      const at = flipped ? 7 - (index >> 1) : index >> 1;
      name.textContent = index % 2 ? at + 1 : "abcdefgh"[at];
    });
    viewer.dataset.position = placement(squares);
    viewer.dataset.ply = ply;
    const now = ply === 0 ? "The position at the beginning." : said(ply) + ".";
    part("now").textContent = now;
    board.setAttribute("aria-label", now + " Board: " + viewer.dataset.position);
    moves.querySelectorAll("[aria-current]").forEach((move) => move.removeAttribute("aria-current"));
    const current = moves.querySelector('[data-ply="' + ply + '"]');
    if (current) {
      current.setAttribute("aria-current", "true");
      moves.scrollTop = current.offsetTop - moves.clientHeight / 2;
    } else moves.scrollTop = 0;
    const cursor = curve.querySelector(".kt");
    cursor.setAttribute("x1", x(ply));
    cursor.setAttribute("x2", x(ply));
    for (const name of ["first", "back"]) part(name).disabled = ply === 0;
    for (const name of ["next", "last"]) part(name).disabled = ply === game.san.length;
  };

  const drawCurve = () => {
    curve.replaceChildren();
    drawn(curve, "title", {});
    const words = (at, text, anchor) => {
      drawn(curve, "text", { ...at, class: "fn", "font-size": 12.5, "text-anchor": anchor }).textContent = text;
    };
    for (const pawns of [-MOST_PAWNS, -MOST_PAWNS / 2, 0, MOST_PAWNS / 2, MOST_PAWNS]) {
      drawn(curve, "line", { x1: 46, x2: 746, y1: y(pawns), y2: y(pawns), class: pawns ? "kg" : "ka" });
      words({ x: 38, y: y(pawns) + 4 }, (pawns > 0 ? "+" : "") + pawns, "end");
    }
    const step = [5, 10, 20, 50, 100].find((step) => game.san.length / 2 / step <= 15) ?? 200;
    const begins = game.blackBegins ? 1 : 0;
    for (let at = 0; at <= game.san.length; at++) {
      const number = game.number + Math.floor((at + begins) / 2);
      if ((at + begins) % 2 === 0 && number % step === 0) words({ x: x(at), y: 181 }, number, "middle");
    }
    words({ x: 396, y: 198 }, "move", "middle");
    for (const side of [0, 1]) {
      const points = game.curve.map((pawns, at) => [at, pawns]).filter(([at, pawns]) => (at % 2 === 1) === ((side === 1) !== game.blackBegins) && !Number.isNaN(pawns));
      const text = points.map(([at, pawns]) => x(at + 1).toFixed(1) + "," + y(pawns).toFixed(1)).join(" ");
      drawn(curve, "polyline", { points: text, fill: "none", class: "k" + side, "stroke-width": 1.8, "stroke-dasharray": side ? "7 3" : "none" });
    }
    drawn(curve, "line", { y1: 12, y2: 168, class: "kt", "stroke-width": 1.2 });
  };

  const open = (wanted, at) => {
    game = unfold(wanted);
    choice.value = game.game;
    part("facts").textContent = "White: " + game.white + ". Black: " + game.black + ". " + game.result + ", " + game.termination + (game.fault ? ": " + game.fault : "") + ".";
    part("pgn").textContent = game.pgn.trimEnd();
    part("white").textContent = game.white;
    part("black").textContent = game.black;
    moves.replaceChildren();
    game.san.forEach((san, index) => {
      const white = (index % 2 === 0) !== game.blackBegins;
      if (white || index === 0) moves.append(Object.assign(document.createElement("span"), { textContent: nameOf(index + 1).split(" ")[0] }));
      const move = Object.assign(document.createElement("button"), { type: "button", textContent: san });
      move.dataset.ply = index + 1;
      if (!white) move.dataset.black = "";
      move.tabIndex = -1;
      moves.append(move);
    });
    drawCurve();
    show(at);
  };

  for (const game of games) {
    choice.append(new Option(game.game + ": " + game.white + " – " + game.black + " " + game.result + ", " + game.termination, game.game));
  }
  choice.addEventListener("change", () => open(games.find((game) => game.game === Number(choice.value)), 0));
  const steps = { first: () => 0, back: () => ply - 1, next: () => ply + 1, last: () => game.san.length };
  for (const [name, to] of Object.entries(steps)) part(name).addEventListener("click", () => show(to()));
  part("flip").addEventListener("click", () => {
    flipped = !flipped;
    show(ply);
  });
  moves.addEventListener("click", (event) => {
    if (event.target.dataset.ply) show(Number(event.target.dataset.ply));
  });
  const pointedAt = (event) => {
    const box = curve.getBoundingClientRect();
    const at = Math.round((((event.clientX - box.left) * 760) / box.width - 46) / (x(1) - x(0)));
    return Math.max(0, Math.min(game.san.length, at));
  };
  curve.addEventListener("click", (event) => show(pointedAt(event)));
  curve.addEventListener("pointermove", (event) => {
    const at = pointedAt(event);
    curve.querySelector("title").textContent = at ? said(at) : "";
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    const inside = viewer.contains(event.target) && event.target !== choice;
    if (!step || event.ctrlKey || event.altKey || event.metaKey || !(inside || (viewer === used && event.target === document.body && event.key.startsWith("Arrow")))) return;
    event.preventDefault();
    show(steps[step]());
  });
  part("copy").addEventListener("click", () => {
    getSelection().selectAllChildren(part("pgn"));
    // Pages from disk may not have the newer way.
    document.execCommand("copy");
  });
  // Links of the page name a game and a position: #game=12&ply=34.
  const follow = () => {
    const [, number, at] = /^#game=(\d+)(?:&ply=(\d+))?$/.exec(location.hash) ?? [];
    if (!number) return;
    const wanted = games.find((game) => game.game === Number(number));
    part("absent").textContent = wanted ? "" : "Game " + number + " is not on this page. This puts it there: lmrlab report " + viewer.dataset.folder + " --game " + number;
    if (wanted) open(wanted, Number(at ?? 0));
    viewer.scrollIntoView();
  };
  viewer.hidden = false;
  open(games[0], 0);
  addEventListener("hashchange", follow);
  follow();
}
