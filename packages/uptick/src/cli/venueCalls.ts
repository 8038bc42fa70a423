import * as z from 'zod/mini'
import { errorBody } from '../../../../contract/errors.ts'
import { head } from '../../../../contract/products.ts'
import { overlaps, type Gap } from '../../../../contract/settle.ts'
import type { KnownKey } from '../../../../src/proof/receipt.ts'
import { UsageError } from './command.ts'
import { isOk, waitingJson } from './waitingRequest.ts'

/** The venue's address as an origin. @throws UsageError if it is none */
export function originOf(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(
      `${url} is no address of a venue`,
      'such as https://venue.example or http://127.0.0.1:8080',
    )
  return new URL(url).origin
}

/** A GET of the venue; undefined for an answer of 4xx. @throws UsageError if it does not answer */
export async function callVenue(url: string, path: string): Promise<unknown> {
  const address = `${originOf(url)}/api${path}`
  const { status, body } = await waitingJson(address)
  if (status >= 400 && status < 500) return undefined
  if (isOk(status) && body !== undefined) return body
  const failure = errorBody.safeParse(body)
  if (!failure.success) throw new UsageError(`${address} answered ${status}: is it a venue?`)
  const { code, requestId } = failure.data.error
  throw new UsageError(
    `${address}: the venue cannot say: ${status} ${code}, request ${requestId}`,
    "the request is in the venue's log; what the file has by itself is verified without --venue",
  )
}

const config = z.object({ logKey: z.optional(z.nullable(z.string())) })

/** The key that the venue says it signs with; none if it has no public log yet. */
export async function statedKeys(url: string): Promise<KnownKey[]> {
  const { logKey } = config.safeParse(await callVenue(url, '/config')).data ?? {}
  return typeof logKey === 'string' ? [{ key: logKey, from: 'venue' }] : []
}

const ticksAnswer = z.object({ before: z.nullable(head) })

/** The head of a product's chain at a number; null if the venue does not have it any more, or not yet. */
export async function headAt(
  url: string,
  productId: string,
  seq: number,
): Promise<{ seq: number; hash: string } | null> {
  const path = `/products/${encodeURIComponent(productId)}/ticks?afterSeq=${seq}&limit=1`
  const parsed = ticksAnswer.safeParse(await callVenue(url, path))
  if (!parsed.success || parsed.data.before?.seq !== seq) return null
  return parsed.data.before
}

/** As a venue states it, and a proof too. */
export const statedGap = z.object({ from: z.int(), to: z.nullable(z.int()) })

const gapsAnswer = z.object({
  items: z.array(statedGap),
  nextCursor: z.nullable(z.string()),
})

/** The gaps of a product that overlap (after, until], as the venue states them now; null if it does not. */
export async function gapsIn(
  url: string,
  productId: string,
  [after, until]: readonly [number, number],
): Promise<Gap[] | null> {
  const found: Gap[] = []
  let cursor = ''
  let oldestFrom = Number.POSITIVE_INFINITY
  for (;;) {
    const path = `/products/${encodeURIComponent(productId)}/gaps?limit=100${cursor}`
    const parsed = gapsAnswer.safeParse(await callVenue(url, path))
    if (!parsed.success) return null
    const { items, nextCursor } = parsed.data
    const oldest = items.at(-1)
    // A venue that repeats a page would be read without an end.
    if (oldest !== undefined && oldest.from >= oldestFrom) return null
    found.push(...items.filter((gap) => overlaps(gap, after, until)))
    // Newest first: what is older ended before.
    if (nextCursor === null || oldest === undefined || (oldest.to ?? until) <= after) return found
    oldestFrom = oldest.from
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`
  }
}
