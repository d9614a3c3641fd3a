// Fairy-Stockfish's npm build (fairy-stockfish-nnue.wasm) as a UCI engine on standard input and output.
//
//   node --no-experimental-fetch wasm.cjs MODULE VARIANTS.INI
//
// MODULE is the folder of the installed package. The file of variants is put into the engine's own
// file system as /variants.ini: set the option VariantPath to that. Before it answers, it searches a little: Node.js
// translates the module while it runs, and the first second of play would be ten times too slow.

const fs = require("fs");
const path = require("path");
const readline = require("readline");

const [module_, variants] = process.argv.slice(2);

require(path.resolve(module_, "stockfish.js"))().then((engine) => {
  engine.FS.writeFile("/variants.ini", fs.readFileSync(variants));
  const print = (line) => process.stdout.write(line + "\n");
  const listen = () => {
    engine.addMessageListener(print);
    const input = readline.createInterface({ input: process.stdin });
    input.on("line", (line) => (line === "quit" ? process.exit(0) : engine.postMessage(line)));
    input.on("close", () => process.exit(0));
  };
  const warm = (line) => {
    if (line.startsWith("bestmove")) {
      engine.removeMessageListener(warm);
      engine.postMessage("ucinewgame");
      listen();
    }
  };
  engine.addMessageListener(warm);
  engine.postMessage("go movetime 1500");
});
