import * as z from 'zod/mini'
import { UsageError } from './command.ts'
import { piecesOf } from './files.ts'
import { parsedJson } from './json.ts'

/** A number of a trade, as text. */
export const decimal = z.string().check(z.regex(/^\d+(\.\d+)?$/))

/** The most characters of one page: parsed, it takes many times the memory. */
const pageLengthMax = 8_000_000

/**
 * The JSON values of a file of any size, one after the other or each on its own line, such as the pages of a call.
 * @param prepare changes the text of a page before it is parsed
 * @throws UsageError if one is not JSON
 */
export async function* readPages(
  path: string,
  prepare = (content: string): string => content,
  pieces: AsyncIterable<string> = piecesOf(path),
): AsyncGenerator<unknown> {
  const ends = new ValueEnds()
  let page = ''
  for await (const piece of pieces) {
    let from = 0
    for (const end of ends.in(piece)) {
      const value = parsedJson(prepare(page + piece.slice(from, end)))
      if (value === undefined) throw noTrades(path, 'it is not JSON')
      yield value
      page = ''
      from = end
    }
    page += piece.slice(from)
    if (page.length > pageLengthMax) throw noTrades(path, `a page has more than ${pageLengthMax / 1e6} MB`)
  }
  if (page.trim() === '') return
  throw noTrades(path, ends.isInside ? 'its last page is broken off' : 'it is not JSON')
}

const noTrades = (path: string, why: string): UsageError =>
  new UsageError(`${path} is no file of trades: ${why}`)

/** Where the lists and objects of a text end that are in no other one; the text comes in pieces. */
class ValueEnds {
  #depth = 0
  #isInText = false
  #isEscaped = false

  get isInside(): boolean {
    return this.#depth > 0
  }

  *in(piece: string): Generator<number> {
    for (let i = 0; i < piece.length; i++) {
      const char = piece[i]
      if (this.#isInText) {
        if (char === '"' && !this.#isEscaped) this.#isInText = false
        this.#isEscaped = char === '\\' && !this.#isEscaped
      } else if (char === '"') this.#isInText = true
      else if (char === '[' || char === '{') this.#depth++
      else if ((char === ']' || char === '}') && --this.#depth === 0) yield i + 1
    }
  }
}
