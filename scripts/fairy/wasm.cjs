// Fairy-Stockfish's npm build (fairy-stockfish-nnue.wasm) as a UCI engine on standard input and output.
//
//   node --no-experimental-fetch wasm.cjs MODULE VARIANTS.INI
//
// MODULE is the folder of the installed package. The file of variants is put into the engine's own
// file system as /variants.ini: set the option VariantPath to that.

const fs = require("fs");
const path = require("path");
const readline = require("readline");

const [module_, variants] = process.argv.slice(2);

require(path.resolve(module_, "stockfish.js"))().then((engine) => {
  engine.FS.writeFile("/variants.ini", fs.readFileSync(variants));
  engine.addMessageListener((line) => process.stdout.write(line + "\n"));
  const input = readline.createInterface({ input: process.stdin });
  input.on("line", (line) => (line === "quit" ? process.exit(0) : engine.postMessage(line)));
  input.on("close", () => process.exit(0));
});
