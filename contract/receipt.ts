import { canonicalJson } from './canonicalJson.ts'
import { sha256Hex, type Head, type Sha256Hex } from './chain.ts'
import type { Direction, Order } from './orders.ts'

/** What the venue signs of an order that it has accepted. `terms` and `account` are hashes. */
export type Receipt = {
  /** The name of the public log whose key signs it. */
  origin: string
  no: string
  productId: string
  direction: Direction
  amount: string
  seconds: number
  rateBp: number
  /** {@link hashOfTerms} */
  terms: string
  acceptedAt: number
  closeAt: number
  /** The newest head of the product's chain when the order was accepted. */
  head: Head
  /** {@link accountTag} */
  account: string
}

const firstLine = 'uptick-order/v1'

/** The text of a receipt. Its first line is no name of a log, so that no checkpoint is a receipt, nor the reverse. */
export function formatReceipt(receipt: Receipt): string {
  const { origin, no, productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt } = receipt
  const lines = [
    firstLine,
    origin,
    `no ${no}`,
    `productId ${productId}`,
    `direction ${direction}`,
    `amount ${amount}`,
    `seconds ${seconds}`,
    `rateBp ${rateBp}`,
    `terms ${terms}`,
    `acceptedAt ${acceptedAt}`,
    `closeAt ${closeAt}`,
    `head ${receipt.head.seq} ${receipt.head.hash}`,
    `account ${receipt.account}`,
  ]
  return `${lines.join('\n')}\n`
}

const number = String.raw`(0|[1-9]\d{0,15})`
const hash = '([0-9a-f]{64})'
const pattern = new RegExp(
  [
    `^${firstLine}`,
    String.raw`(\S+)`,
    String.raw`no (\S+)`,
    String.raw`productId (\S+)`,
    'direction (up|down)',
    String.raw`amount (\d{1,11}\.\d\d)`,
    `seconds ${number}`,
    `rateBp ${number}`,
    `terms ${hash}`,
    `acceptedAt ${number}`,
    `closeAt ${number}`,
    `head ${number} ${hash}`,
    `account ${hash}`,
    '$',
  ].join('\n'),
)

/** Reads the text of a receipt; null if it is not one in its one spelling. */
export function parseReceipt(text: string): Receipt | null {
  const fields = pattern.exec(text)
  if (fields === null) return null
  const [, origin = '', no = '', productId = '', direction, amount = '', ...rest] = fields
  const [seconds, rateBp, terms = '', acceptedAt, closeAt, seq, headHash = '', account = ''] = rest
  const receipt: Receipt = {
    origin,
    no,
    productId,
    direction: direction === 'up' ? 'up' : 'down',
    amount,
    seconds: Number(seconds),
    rateBp: Number(rateBp),
    terms,
    acceptedAt: Number(acceptedAt),
    closeAt: Number(closeAt),
    head: { seq: Number(seq), hash: headHash },
    account,
  }
  const numbers = [receipt.seconds, receipt.rateBp, receipt.acceptedAt, receipt.closeAt, receipt.head.seq]
  return numbers.every(Number.isSafeInteger) ? receipt : null
}

/** SHA-256 of an order's terms, as JSON without spaces whose keys ascend. */
export const hashOfTerms = (terms: Order['terms'], sha: Sha256Hex = sha256Hex): string =>
  sha(canonicalJson(terms))

/**
 * The account in a receipt: without the salt it is impossible to tell whose order it is, or that two belong to one
 * member.
 */
export const accountTag = (salt: string, memberId: string, sha: Sha256Hex = sha256Hex): string =>
  sha(`uptick-account/v1\n${salt}\n${memberId}\n`)

/** The fields of an order that its receipt states. */
export const signedFields = [
  'no',
  'productId',
  'direction',
  'amount',
  'seconds',
  'rateBp',
  'terms',
  'acceptedAt',
  'closeAt',
] as const
export type SignedField = (typeof signedFields)[number]

/** The fields in which an order is not what its receipt states. */
export function fieldsNotSigned(receipt: Receipt, order: Pick<Order, SignedField>): SignedField[] {
  const stated = { ...order, terms: hashOfTerms(order.terms) }
  return signedFields.filter((name) => receipt[name] !== stated[name])
}
