import type { Order } from '../../contract/orders.ts'
import { ApiError } from '../apiError.ts'
import type { ApiErrorDetails } from '../apiError.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { BusError } from '../cluster/bus.ts'
import type { Bus } from '../cluster/bus.ts'
import type { Clock, PlaceCommand, Placer } from '../ports.ts'
import { KeyUsedError } from './placementKey.ts'

type PlacementKey = Pick<PlaceCommand, 'memberId' | 'key'>
/** The leader's answer: the order, that the key was used before, or why the order was rejected. */
export type PlacementAnswer =
  | { order: Order }
  | { isKeyUsed: true }
  | { error: { code: ErrorCode } & ApiErrorDetails }

/**
 * Then the order is requested again, from the node that leads by then: a leader that was killed after it received a request does
 * not answer. One that is only slow still has the key locked, and answers both requests alike.
 */
const answerMaxMs = 1000
/** For how long the outcome of a key is awaited. */
const awaitMaxMs = 3000
const retryMs = 50

const encode = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
const decode = (message: Uint8Array): unknown => JSON.parse(Buffer.from(message).toString())

/** Orders are requested from the leader; requests are repeated with the same key, so that each counts once. */
export function createRemotePlacer(bus: Bus, clock: Clock): Placer {
  const pause = (): Promise<void> => new Promise((resolve) => clock.at(clock.now() + retryMs, resolve))
  const requestUntil = async (
    subject: 'place-order' | 'await-order',
    message: Uint8Array,
    deadline: number,
  ): Promise<Uint8Array> => {
    for (;;) {
      try {
        return await bus.request(subject, message, answerMaxMs)
      } catch (error) {
        if (!(error instanceof BusError)) throw error
        if (clock.now() >= deadline) throw new ApiError('UNAVAILABLE')
        await pause()
      }
    }
  }
  return {
    place: async (command) => {
      const deadline = Math.max(command.order.validUntil, clock.now())
      const answer = decode(await requestUntil('place-order', encode(command), deadline)) as PlacementAnswer
      if ('order' in answer) return answer.order
      if ('isKeyUsed' in answer) throw new KeyUsedError()
      const { code, ...details } = answer.error
      throw new ApiError(code, details)
    },
    awaitPlacement: async (memberId, key) => {
      const message = encode({ memberId, key } satisfies PlacementKey)
      await requestUntil('await-order', message, clock.now() + awaitMaxMs)
    },
  }
}

/**
 * Places the orders that other nodes request. A failure whose outcome is unknown is not answered: the node repeats its
 * request with the same key. @returns ends it
 */
export function answerPlacements(bus: Bus, placer: Placer): () => void {
  const endPlacing = bus.respond('place-order', async (message) => {
    const answer: PlacementAnswer = await placer.place(decode(message) as PlaceCommand).then(
      (order) => ({ order }),
      (error: unknown) => {
        if (error instanceof KeyUsedError) return { isKeyUsed: true }
        if (!(error instanceof ApiError)) throw error
        const { code, params, fields } = error
        return { error: { code, ...(params && { params }), ...(fields && { fields }) } }
      },
    )
    return encode(answer)
  })
  const endAwaiting = bus.respond('await-order', async (message) => {
    const { memberId, key } = decode(message) as PlacementKey
    await placer.awaitPlacement(memberId, key)
    return encode({})
  })
  return () => {
    endPlacing()
    endAwaiting()
  }
}
