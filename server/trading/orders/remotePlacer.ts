import * as z from 'zod/mini'
import { backoffMs } from '../../../contract/backoff.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { placeRequest } from '../../../contract/orders.ts'
import { secondMs } from '../../../contract/time.ts'
import { ApiError, type ApiErrorDetails } from '../../platform/apiError.ts'
import { BusError, type Bus } from '../../platform/cluster/bus.ts'
import type { Clock, PlacedOrder, Placer, Report } from '../../platform/ports.ts'
import { KeyUsedError } from './placementKey.ts'

/** What an edge sends: a node of another build may send it, so it is parsed as what members send is. */
const placeCommand = z.strictObject({
  memberId: z.string(),
  sessionId: z.string(),
  key: z.string(),
  fingerprint: z.string(),
  order: placeRequest,
})
const placementKey = z.strictObject({ memberId: z.string(), key: z.string() })

/** The leader's answer: the order, that the key was used before, why the order was rejected, or that its outcome is unknown. */
export type PlacementAnswer =
  | PlacedOrder
  | { isKeyUsed: true }
  | { error: { code: ErrorCode } & ApiErrorDetails }
  | { isUnknown: true }

/**
 * Then the order is requested again, from the node that leads by then: a leader that was killed after it received a request does
 * not answer, and the message that another one leads may be lost. One that is only slow still has the key locked, and answers
 * both requests alike.
 */
const answerMaxMs = secondMs
/** Another node leads by then: a frozen leader is replaced after 2 s. A member waits for no longer. */
const placeMaxMs = 8 * secondMs
/** For how long the outcome of a key is awaited. */
const awaitMaxMs = 3 * secondMs
/** NATS that is only restarted is back by then. */
const disconnectedMaxMs = secondMs
const retryMs = 50
const retryMaxMs = 250

const encode = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
const decode = (message: Uint8Array): unknown => JSON.parse(Buffer.from(message).toString())

type PlacerSubject = 'place-order' | 'await-order'

/** Orders are requested from the leader; requests are repeated with the same key, so that each counts once. */
export function createRemotePlacer(
  bus: Pick<Bus, 'request' | 'subscribe' | 'isConnected'>,
  clock: Clock,
): Placer {
  const pause = (ms: number): Promise<void> => new Promise((resolve) => clock.at(clock.now() + ms, resolve))
  const nextLeader = watchLeaders(bus)
  /** Null if there is no answer. */
  const requestOnce = (subject: PlacerSubject, message: Uint8Array): Promise<Uint8Array | null> =>
    bus.request(subject, message, answerMaxMs).catch((error: unknown) => {
      if (error instanceof BusError) return null
      throw error
    })
  /** @throws ApiError `UNAVAILABLE` after `waitMaxMs`, or soon if the bus is away */
  const requestUntil = async <T>(
    subject: PlacerSubject,
    message: Uint8Array,
    waitMaxMs: number,
    read: (answer: unknown) => T | null,
  ): Promise<T> => {
    const startedAt = clock.now()
    for (let failures = 1; ; failures += 1) {
      const successor = nextLeader()
      try {
        const answer = await Promise.race([requestOnce(subject, message), successor.ready])
        const result = answer && read(decode(answer))
        if (result !== null) return result
        const restMs = startedAt + (bus.isConnected() ? waitMaxMs : disconnectedMaxMs) - clock.now()
        if (restMs <= 0) throw new ApiError('UNAVAILABLE')
        const pauseMs = Math.min(restMs, backoffMs(failures, retryMs, retryMaxMs))
        await Promise.race([pause(pauseMs), successor.ready])
      } finally {
        successor.end()
      }
    }
  }
  return {
    place: async (command) => {
      const waitMaxMs = Math.min(placeMaxMs, command.order.validUntil - clock.now())
      const answer = await requestUntil('place-order', encode(command), waitMaxMs, (given) => {
        const placement = given as PlacementAnswer
        return 'isUnknown' in placement ? null : placement
      })
      if ('order' in answer) return { order: answer.order, origin: answer.origin }
      if ('isKeyUsed' in answer) throw new KeyUsedError()
      const { code, ...details } = answer.error
      throw new ApiError(code, details)
    },
    awaitPlacement: async (memberId, key) => {
      await requestUntil('await-order', encode({ memberId, key }), awaitMaxMs, () => true)
    },
  }
}

/** @returns makes a promise that resolves once another node begins to answer; `end` discards it */
function watchLeaders(bus: Pick<Bus, 'subscribe'>): () => { ready: Promise<null>; end: () => void } {
  const wakes = new Set<() => void>()
  bus.subscribe('leader-ready', () => {
    for (const wake of wakes) wake()
  })
  return () => {
    let wake = (): void => undefined
    const ready = new Promise<null>((resolve) => {
      wake = () => resolve(null)
    })
    wakes.add(wake)
    return { ready, end: () => void wakes.delete(wake) }
  }
}

/**
 * Places the orders that other nodes request. Where the outcome is unknown, the node repeats its request with the same key.
 * @returns ends it
 */
export function answerPlacements(
  bus: Pick<Bus, 'respond' | 'publish'>,
  placer: Placer,
  report: Report,
): () => void {
  const place = async (message: Uint8Array): Promise<PlacementAnswer> => {
    try {
      return await placer.place(placeCommand.parse(decode(message)))
    } catch (error) {
      if (error instanceof KeyUsedError) return { isKeyUsed: true }
      if (!(error instanceof ApiError)) {
        report('placing an order of another node failed', error)
        return { isUnknown: true }
      }
      const { code, params, fields } = error
      return { error: { code, ...(params && { params }), ...(fields && { fields }) } }
    }
  }
  const endPlacing = bus.respond('place-order', async (message) => encode(await place(message)))
  const endAwaiting = bus.respond('await-order', async (message) => {
    const { memberId, key } = placementKey.parse(decode(message))
    await placer.awaitPlacement(memberId, key)
    return encode({})
  })
  bus.publish('leader-ready', new Uint8Array())
  return () => {
    endPlacing()
    endAwaiting()
  }
}
