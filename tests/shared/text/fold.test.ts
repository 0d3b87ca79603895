import { describe, expect, test } from "vitest";
import { compareNaturally, foldName, foldText, isSameName, sortKey } from "../../../shared/text/fold";

/** "é" as one character and as "e" with a combining accent, as macOS writes it. */
const [COMPOSED, DECOMPOSED] = ["caf\u00e9", "cafe\u0301"];

describe("names", () => {
  test.each([
    ["Person", "pERSON"],
    [COMPOSED, DECOMPOSED],
    ["ÄPFEL", "a\u0308pfel"],
    ["ΟΔΟΣ", "οδος"],
    ["ЙОД", "и\u0306од"],
    ["MẶT ĐƯỜNG", "mặt đường"],
  ])("%s and %s are the same", (a, b) => expect(isSameName(a, b)).toBe(true));

  test.each([
    ["schon", "schön"],
    ["Masse", "Maße"],
    ["は", "ば"],
    ["m2", "m²"],
    ["क", "कि"],
  ])("%s and %s are different words", (a, b) => expect(isSameName(a, b)).toBe(false));
});

describe("search", () => {
  const found = (text: string, part: string) => foldText(text).includes(foldText(part));

  test.each([
    [`${DECOMPOSED}.jpg`, COMPOSED],
    [COMPOSED, "CAFE"],
    ["İzmir", "izmir"],
    ["IZMIR", "İZMİR"],
    ["ızmir", "IZMIR"],
    ["Straße", "strasse"],
    ["STRASSE", "Straße"],
    ["Æsop", "aesop"],
    ["Smørrebrød", "smorrebrod"],
    ["Łódź", "lodz"],
    ["ﬁsh", "fish"],
    ["ＡＢＣ", "abc"],
    ["ΣΑΣ", "σας"],
    ["한국", "하"],
  ])("finds %s by %s", (text, part) => expect(found(text, part)).toBe(true));

  test("keeps the marks that make other letters in other scripts", () => {
    expect(found("は", "ば")).toBe(false);
    expect(foldText("हिन्दी")).not.toBe(foldText("हनद"));
  });
});

describe("order", () => {
  const sorted = (texts: string[]) => [...texts].sort(compareNaturally);

  test("sorts numbers by value and accents with their letters", () => {
    const wanted = ["äpfel", "Birne", "img", "img2", "img010", "img10a", "img10b", "zebra"];
    expect(sorted([...wanted].reverse())).toEqual(wanted);
    expect(sorted(["1/10.jpg", "1/9.jpg", "02/1.jpg"])).toEqual(["1/9.jpg", "1/10.jpg", "02/1.jpg"]);
  });

  test("sorts texts with equal keys in a fixed order", () => {
    expect(sorted(["b", "B", "a", "A"])).toEqual(["A", "a", "B", "b"]);
    expect(sortKey("img1")).toBe(sortKey("IMG001"));
  });

  test("keeps numbers that are longer than its keys", () => {
    expect(sortKey(`x${"9".repeat(30)}`)).toBe(`x${"9".repeat(30)}`);
    expect(foldName(DECOMPOSED)).toBe(foldName(COMPOSED));
  });
});
