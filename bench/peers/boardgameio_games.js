// Whole random games of Tricks (see bench/tricks.py) through the client of boardgame.io.
// Its local client without subscribers: no transport, no debug panel, no view is computed.
"use strict";

const readline = require("readline");
const { Client } = require("boardgame.io/dist/cjs/client.js");
const { INVALID_MOVE } = require("boardgame.io/dist/cjs/core.js");

const SEATS = 3;
const CARDS = 54;
const SUITS = 3;

function legal(G, seat) {
  const hand = G.hands[seat];
  if (G.trick.length === 0) return hand;
  const follows = hand.filter((card) => card % SUITS === G.trick[0] % SUITS);
  return follows.length > 0 ? follows : hand;
}

function best(trick) {
  const follows = trick.filter((card) => card % SUITS === trick[0] % SUITS);
  return trick.indexOf(Math.max(...follows));
}

const Tricks = {
  name: "tricks",
  setup: ({ random }) => {
    const deck = random.Shuffle(Array.from({ length: CARDS }, (_, card) => card));
    const held = CARDS / SEATS;
    const hands = Array.from({ length: SEATS }, (_, seat) =>
      deck.slice(seat * held, (seat + 1) * held));
    return { trick: [], taken: Array(SEATS).fill(0), hands };
  },
  playerView: ({ G, playerID }) => ({
    trick: G.trick,
    taken: G.taken,
    hand: playerID === null ? [] : G.hands[Number(playerID)],
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID }, card) => {
      const seat = Number(playerID);
      if (!legal(G, seat).includes(card)) return INVALID_MOVE;
      G.hands[seat].splice(G.hands[seat].indexOf(card), 1);
      G.trick.push(card);
      if (G.trick.length === SEATS) {
        G.taken[best(G.trick)] += 1;
        G.trick = [];
      }
    },
  },
  endIf: ({ G }) => (G.hands.every((hand) => hand.length === 0) ? { taken: G.taken } : undefined),
};

function play() {
  const client = Client({ game: Tricks, numPlayers: SEATS, debug: false });
  let moves = 0;
  for (;;) {
    const { G, ctx } = client.store.getState();
    if (ctx.gameover) break;
    const options = legal(G, Number(ctx.currentPlayer));
    client.moves.play(options[Math.floor(Math.random() * options.length)]);
    moves += 1;
  }
  if (moves !== CARDS) throw new Error(`a game of ${CARDS} moves took ${moves}`);
  return moves;
}

function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

console.log("ready");
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const began = cpu();
  let moves = 0;
  while (cpu() - began < Number(line)) moves += play();
  console.log(moves, cpu() - began);
});
