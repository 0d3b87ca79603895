import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync } from "node:zlib";

/**
 * A member to be written to a zip. The zip is a stream of bytes, written member by member as fast as it is read. About
 * 100 bytes and the name of each member stay in memory until the end. The time is linear in the number of members; with
 * the usual package it is quadratic (a second per thousand members). Source: PKWARE's APPNOTE 6.3.10. Names are UTF-8;
 * sizes beyond 4 GB use zip64.
 */
export interface NewMember {
  /** Path with slashes, without a leading one. */
  path: string;
  /** Short content as a whole, long content as a stream whose size need not be known. */
  content: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** True if the content is already compressed and is stored unchanged. */
  isPacked?: boolean;
}

const CHUNK = 64 * 1024;
const VERSION = 45;
/** Flags: names are UTF-8; the sizes of a stream follow it in a data descriptor. */
const UTF8 = 0x800;
const HAS_DESCRIPTOR = 0x8;
const DEFLATED = 8;
/** 1980-01-01, the earliest date of the format. Constant, so that the same images give the same bytes. */
const DATE = 0x21;
const MANY = 0xffff;
const LARGE = 0xffffffff;

/** Fields of a member's headers other than its sizes. */
interface MemberHeader {
  name: Buffer;
  flags: number;
  method: number;
}

interface Written {
  crc: number;
  packed: number;
  size: number;
}

export async function* writeZip(members: AsyncIterable<NewMember> | Iterable<NewMember>): AsyncGenerator<Buffer> {
  const out = new Chunks();
  const directory: Buffer[] = [];
  for await (const member of members) {
    const at = out.total;
    const { content } = member;
    const isWhole = typeof content === "string" || content instanceof Uint8Array;
    const header = {
      name: Buffer.from(member.path),
      flags: UTF8 | (isWhole ? 0 : HAS_DESCRIPTOR),
      method: member.isPacked ? 0 : DEFLATED,
    };
    let written: Written;
    if (isWhole) {
      const bytes = Buffer.from(content);
      const packed = member.isPacked ? bytes : await deflatedWhole(bytes);
      written = { crc: crc32(bytes), packed: packed.length, size: bytes.length };
      yield* out.add(localHeader(header, written));
      yield* out.add(packed);
    } else {
      yield* out.add(localHeader(header, undefined));
      written = { crc: 0, packed: 0, size: 0 };
      const plain = counted(content, written);
      for await (const chunk of member.isPacked ? plain : deflated(plain)) {
        written.packed += chunk.length;
        yield* out.add(chunk);
      }
      yield* out.add(dataDescriptor(written));
    }
    directory.push(entryOf(header, written, at));
  }
  const start = out.total;
  for (const entry of directory) yield* out.add(entry);
  yield* out.add(endOf(directory.length, start, out.total - start));
  yield* out.rest();
}

/** Buffer that combines small pieces into larger chunks. */
class Chunks {
  total = 0;
  private pieces: Buffer[] = [];
  private length = 0;

  *add(piece: Buffer): Generator<Buffer> {
    this.total += piece.length;
    this.length += piece.length;
    this.pieces.push(piece);
    if (this.length >= CHUNK) yield* this.rest();
  }

  *rest(): Generator<Buffer> {
    if (this.length > 0) yield Buffer.concat(this.pieces);
    this.pieces = [];
    this.length = 0;
  }
}

async function* counted(content: AsyncIterable<string | Uint8Array>, written: Written): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    const bytes = Buffer.from(piece);
    written.crc = crc32(bytes, written.crc);
    written.size += bytes.length;
    yield bytes;
  }
}

function deflated(plain: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const packer = createDeflateRaw();
  // Errors reach the code that reads the packer.
  pipeline(Readable.from(plain), packer, () => undefined);
  return packer;
}

const deflateElsewhere = promisify(deflateRaw);

/** Compresses short content on this thread, which is faster than handing it to another. */
const deflatedWhole = async (bytes: Buffer): Promise<Buffer> =>
  bytes.length < CHUNK ? deflateRawSync(bytes) : deflateElsewhere(bytes);

/**
 * Returns a local header. `written` is undefined if a data descriptor follows, whose sizes have 8 bytes, since the file
 * may be large.
 */
function localHeader(member: MemberHeader, written: Written | undefined): Buffer {
  const extra = written ? Buffer.alloc(0) : zip64Field([0, 0]);
  const sizes = written ?? { crc: 0, packed: LARGE, size: LARGE };
  const header = fields([[4, 0x04034b50], [2, VERSION], ...sharedFields(member, sizes, extra)]);
  return Buffer.concat([header, member.name, extra]);
}

/** Returns the fields that a member's local header shares with its directory entry. */
const sharedFields = (
  { name, flags, method }: MemberHeader,
  { crc, packed, size }: Written,
  extra: Buffer,
): Field[] => [
  [2, flags],
  [2, method],
  [2, 0],
  [2, DATE],
  [4, crc],
  [4, packed],
  [4, size],
  [2, name.length],
  [2, extra.length],
];

const dataDescriptor = ({ crc, packed, size }: Written): Buffer =>
  fields([
    [4, 0x08074b50],
    [4, crc],
    [8, packed],
    [8, size],
  ]);

/** Returns an entry of the central directory; `at` is the member's offset. */
function entryOf(member: MemberHeader, { crc, packed, size }: Written, at: number): Buffer {
  const isLarge = packed >= LARGE || size >= LARGE || at >= LARGE;
  const extra = isLarge ? zip64Field([size, packed, at]) : Buffer.alloc(0);
  const sizes = isLarge ? { crc, packed: LARGE, size: LARGE } : { crc, packed, size };
  const header = fields([
    [4, 0x02014b50],
    [2, VERSION],
    [2, VERSION],
    ...sharedFields(member, sizes, extra),
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, isLarge ? LARGE : at],
  ]);
  return Buffer.concat([header, member.name, extra]);
}

function endOf(count: number, start: number, size: number): Buffer {
  const isLarge = count >= MANY || start >= LARGE || size >= LARGE;
  const end = fields([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, isLarge ? MANY : count],
    [2, isLarge ? MANY : count],
    [4, isLarge ? LARGE : size],
    [4, isLarge ? LARGE : start],
    [2, 0],
  ]);
  if (!isLarge) return end;
  const large = fields([
    [4, 0x06064b50],
    [8, 44],
    [2, VERSION],
    [2, VERSION],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, start],
  ]);
  const where = fields([
    [4, 0x07064b50],
    [4, 0],
    [8, start + size],
    [4, 1],
  ]);
  return Buffer.concat([large, where, end]);
}

const zip64Field = (sizes: readonly number[]): Buffer =>
  fields([[2, 1], [2, 8 * sizes.length], ...sizes.map((size): Field => [8, size])]);

type Field = readonly [bytes: 2 | 4 | 8, value: number];

/** Encodes numbers one after another, little-endian. */
function fields(list: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(list.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of list) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}
