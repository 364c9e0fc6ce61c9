const LINE_FEED = 0x0a;

/** Splits a dump only at line feeds, because its rows may contain other line separators such as U+2028. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let partialLine: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(LINE_FEED); to !== -1; to = chunk.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...partialLine, chunk.subarray(from, to)]);
      partialLine = [];
      from = to + 1;
    }
    if (from < chunk.length) partialLine.push(chunk.subarray(from));
  }
  if (partialLine.length > 0) yield Buffer.concat(partialLine);
}
