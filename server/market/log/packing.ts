/**
 * Integers as variable-length bytes: seven bits per byte, lowest first; the eighth bit marks that more follow. Uses
 * arithmetic instead of shifts, because instants and sizes exceed 32 bits.
 */
export class ByteWriter {
  #bytes: Buffer
  #length = 0

  constructor(capacity = 1024) {
    this.#bytes = Buffer.allocUnsafe(capacity)
  }

  get length(): number {
    return this.#length
  }

  /** An integer from 0 to 2^53 − 1. */
  uint(value: number): void {
    this.#ensureCapacity(8)
    let remaining = value
    while (remaining >= 0x80) {
      this.#bytes[this.#length++] = (remaining % 0x80) | 0x80
      remaining = Math.floor(remaining / 0x80)
    }
    this.#bytes[this.#length++] = remaining
  }

  /** A signed integer: the first byte has the sign and six bits. */
  int(value: number): void {
    this.#ensureCapacity(9)
    const magnitude = Math.abs(value)
    const sign = value < 0 ? 0x40 : 0
    if (magnitude < 0x40) {
      this.#bytes[this.#length++] = sign | magnitude
      return
    }
    this.#bytes[this.#length++] = 0x80 | sign | (magnitude % 0x40)
    this.uint(Math.floor(magnitude / 0x40))
  }

  /** Bytes from hex text. */
  hex(text: string): void {
    this.#ensureCapacity(text.length / 2)
    this.#length += this.#bytes.write(text, this.#length, 'hex')
  }

  /** UTF-8 text after its length in bytes. */
  text(text: string): void {
    const bytes = Buffer.byteLength(text)
    this.uint(bytes)
    this.#ensureCapacity(bytes)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** A copy of the written bytes. */
  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length))
  }

  #ensureCapacity(extra: number): void {
    if (this.#length + extra <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + extra))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

/** Reads the bytes of {@link ByteWriter}. Throws RangeError if it cannot have written them. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length
  }

  uint(): number {
    let value = 0
    let weight = 1
    for (;;) {
      const byte = this.#next()
      value += (byte & 0x7f) * weight
      if (byte < 0x80) break
      weight *= 0x80
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('a packed number is too large')
    return value
  }

  int(): number {
    const first = this.#next()
    const low = first & 0x3f
    const magnitude = first < 0x80 ? low : low + this.uint() * 0x40
    if (!Number.isSafeInteger(magnitude)) throw new RangeError('a packed number is too large')
    if ((first & 0x40) === 0) return magnitude
    // The writer never writes this; accepting it would hide a changed bit.
    if (magnitude === 0) throw new RangeError('a packed zero has a sign')
    return -magnitude
  }

  hex(bytes: number): string {
    return this.#take(bytes).toString('hex')
  }

  text(): string {
    const bytes = this.uint()
    return this.#take(bytes).toString()
  }

  #take(bytes: number): Buffer {
    if (this.#at + bytes > this.#bytes.length) throw new RangeError('packed bytes end early')
    this.#at += bytes
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + this.#at - bytes, bytes)
  }

  #next(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new RangeError('packed bytes end early')
    return byte
  }
}
