/** Σ price × size, in plain numbers for as long as they are exact: a bigint for each tick takes several times as long. */
export class Turnover {
  #whole = 0n
  #part = 0

  add(price: number, size: number): void {
    const part = this.#part + price * size
    if (part <= Number.MAX_SAFE_INTEGER) this.#part = part
    else {
      this.#whole += BigInt(this.#part) + BigInt(price) * BigInt(size)
      this.#part = 0
    }
  }

  get sum(): bigint {
    return this.#whole + BigInt(this.#part)
  }
}
