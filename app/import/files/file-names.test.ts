import { expect, test } from "vitest";
import { fileNameDecoder } from "./file-names.ts";

/** Creates an archive entry from its name's bytes in hexadecimal. The names were encoded with `iconv`. */
const entry = (hex: string) => {
  const rawFilename = Uint8Array.from(Buffer.from(hex, "hex"));
  const filename = new TextDecoder("ibm866").decode(rawFilename);
  return { rawFilename, filename, filenameUTF8: false };
};

test.each([
  ["日本/日本語.md", "shift_jis", "93fa967b2f93fa967b8cea2e6d64"],
  ["メモ.md", "shift_jis", "838183822e6d64"],
  ["笔记/数据库索引.md", "gb18030", "b1cabcc72fcafdbeddbfe2cbf7d2fd2e6d64"],
  ["데이터베이스/색인.md", "euc-kr", "b5a5c0ccc5cdbaa3c0ccbdba2fbbf6c0ce2e6d64"],
  ["資料庫/索引.md", "big5", "b8eaaec6ae772fafc1a4de2e6d64"],
  ["Привет мир.md", "ibm866", "8fe0a8a2a5e220aca8e02e6d64"],
  ["Привет мир.md", "windows-1251", "cff0e8e2e5f220ece8f02e6d64"],
  // The first and the last of the common characters.
  ["ああんん.md", "shift_jis", "82a082a082f182f12e6d64"],
  ["ァァヶヶ.md", "shift_jis", "83408340839683962e6d64"],
  ["亜亜.md", "shift_jis", "889f889f2e6d64"],
  ["利利離離.md", "shift_jis", "9798979897a397a32e6d64"],
  ["ﾟﾟ利利利利利利利利.md", "shift_jis", "dfdf979897989798979897989798979897982e6d64"],
  [
    "ｱｲｳ日本語文字日本語文字日本語文字.md",
    "shift_jis",
    "b1b2b393fa967b8cea95b68e9a93fa967b8cea95b68e9a93fa967b8cea95b68e9a2e6d64",
  ],
  // The first and the last half-width character, and kanji that begin with a byte after them.
  ["できた｡また.md", "shift_jis", "82c582ab82bda182dc82bd2e6d64"],
  [
    "ｽｰﾊﾟの買い物のときに忘れないためのもの.md",
    "shift_jis",
    "bdb0cadf82cc948382a295a882cc82c682ab82c9965982ea82c882a282bd82df82cc82e082cc2e6d64",
  ],
  ["京都の珈琲店の写真と日記.md", "shift_jis", "8b9e937382cce0dbe0e8935882cc8eca905e82c693fa8b4c2e6d64"],
  // Prolonged vowels, punctuation, full-width digits and the last of the common kanji.
  ["サーバー.md", "shift_jis", "8354815b836f815b2e6d64"],
  ["データベースの索引.md", "shift_jis", "8366815b835e8378815b835882cc8df588f82e6d64"],
  ["レシピ：カレー.md", "shift_jis", "838c835683738146834a838c815b2e6d64"],
  ["メモ（旧）.md", "shift_jis", "8381838281698b8c816a2e6d64"],
  ["日記、その２.md", "shift_jis", "93fa8b4c814182bb82cc82512e6d64"],
  ["第１回.md", "shift_jis", "91e6825089f12e6d64"],
  ["電話.md", "shift_jis", "936498622e6d64"],
  ["論理.md", "shift_jis", "985f979d2e6d64"],
  ["会話.md", "shift_jis", "89ef98622e6d64"],
  ["「和」・録。.md", "shift_jis", "8175986181768145985e81422e6d64"],
  ["あぁ.md", "shift_jis", "82a0829f2e6d64"],
  ["가가.md", "euc-kr", "b0a1b0a12e6d64"],
  ["흩흩.md", "euc-kr", "c8f0c8f02e6d64"],
  ["座座.md", "gb18030", "d7f9d7f92e6d64"],
  ["作者.md", "gb18030", "d7f7d5df2e6d64"],
  ["数据库.md", "gb18030", "cafdbeddbfe22e6d64"],
  ["生病.md", "gb18030", "c9fab2a12e6d64"],
  ["安装.md", "gb18030", "b0b2d7b02e6d64"],
  ["中文.md", "big5", "a4a4a4e52e6d64"],
  ["一一.md", "big5", "a440a4402e6d64"],
  ["乙丁.md", "big5", "a441a4422e6d64"],
  ["籲籲.md", "big5", "c67ec67e2e6d64"],
  ["АА.md", "ibm866", "80802e6d64"],
  ["яя.md", "windows-1251", "ffff2e6d64"],
  // Some of these bytes are common Chinese, Japanese or Korean characters too.
  ["Привет.md", "ibm866", "8fe0a8a2a5e22e6d64"],
  ["Привет.md", "windows-1251", "cff0e8e2e5f22e6d64"],
  ["Фото.md", "ibm866", "94aee2ae2e6d64"],
  ["О проекте.md", "ibm866", "8e20afe0aea5aae2a52e6d64"],
  ["суп.md", "ibm866", "e1e3af2e6d64"],
  // One letter is a whole word.
  ["План Б.md", "ibm866", "8faba0ad20812e6d64"],
  ["План Б.md", "windows-1251", "cfebe0ed20c12e6d64"],
])(
  "the file name %s in %s is decoded, and the guessed encoding is reported",
  (path, guessedEncoding, hex) => {
    const named = entry(hex);
    expect(fileNameDecoder([named])(named)).toEqual({ path, guessedEncoding });
  },
);

test("a UTF-8 file name is decoded as UTF-8, even if the archive does not declare the encoding", () => {
  const undeclared = entry("c39c626572736963687420e697a52e6d64");
  expect(fileNameDecoder([undeclared, entry("93fa967b")])(undeclared)).toEqual({ path: "Übersicht 日.md" });
  const declared = { ...undeclared, filename: "Ü.md", filenameUTF8: true };
  expect(fileNameDecoder([undeclared])(declared)).toEqual({ path: "Ü.md" });
});

test.each([
  [
    ["Übersicht 日.md", "日記.md"],
    [undefined, "shift_jis"],
    ["c39c626572736963687420e697a52e6d64", "93fa8b4c2e6d64"],
  ],
  [
    ["Привет.md", "я.md"],
    ["ibm866", "ibm866"],
    ["8fe0a8a2a5e22e6d64", "ef2e6d64"],
  ],
  [
    ["Übersicht.md", "Café.md"],
    ["windows-1252", "windows-1252"],
    ["dc62657273696368742e6d64", "436166e92e6d64"],
  ],
])(
  "in an archive with the files %j, all names that are not UTF-8 have the same encoding",
  (paths, encodings, hex) => {
    const entries = hex.map(entry);
    expect(entries.map(fileNameDecoder(entries))).toEqual(
      paths.map((path, index) => ({ path, guessedEncoding: encodings[index] })),
    );
  },
);

// Code page 437 has other characters at these bytes.
test.each([
  ["Übersicht.md", "▄bersicht.md", "dc62657273696368742e6d64"],
  ["Café.md", "CafΘ.md", "436166e92e6d64"],
  ["Bücher.md", "Bⁿcher.md", "42fc636865722e6d64"],
  ["São Paulo.md", "Sπo Paulo.md", "53e36f205061756c6f2e6d64"],
  ["mañana.md", "ma±ana.md", "6d61f1616e612e6d64"],
  ["können.md", "k÷nnen.md", "6bf66e6e656e2e6d64"],
  ["música.md", "m·sica.md", "6dfa736963612e6d64"],
])("the Western file name %s from Windows is not read as %s", (path, filename, hex) => {
  const windows = { ...entry(hex), filename };
  expect(fileNameDecoder([windows])(windows)).toEqual({ path, guessedEncoding: "windows-1252" });
});

test.each([
  ["Übersicht.md", "9a62657273696368742e6d64"],
  ["Straße.md", "53747261e1652e6d64"],
  ["création.md", "6372826174696f6e2e6d64"],
  ["Bücher.md", "4281636865722e6d64"],
  ["Grüße aus Köln.md", "477281e16520617573204b946c6e2e6d64"],
  ["Küche für Gäste.md", "4b81636865206681722047847374652e6d64"],
  ["résumé détaillé.md", "728273756d822064827461696c6c822e6d64"],
  ["col·lecció.md", "636f6cfa6c65636369a22e6d64"],
])("the Western file name %s from DOS is not mistaken for another language", (path, hex) => {
  const dos = { ...entry(hex), filename: path };
  expect(fileNameDecoder([dos])(dos)).toEqual({ path, guessedEncoding: "cp437" });
});
