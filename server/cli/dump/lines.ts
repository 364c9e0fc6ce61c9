const LINE_FEED = 0x0a;

/** Only a line feed ends a line: what else counts as an end elsewhere (U+2028 among them) may stand in a row. */
export async function* splitLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    let from = 0;
    for (let to = piece.indexOf(LINE_FEED); to !== -1; to = piece.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...begun, piece.subarray(from, to)]);
      begun = [];
      from = to + 1;
    }
    if (from < piece.length) begun.push(piece.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}
