import { hourMs, minuteMs, secondMs } from '../../../contract/time.ts'
import type { Clock } from '../../platform/ports.ts'

/** Requests of one member at the same time, each to another device. */
const memberMax = 2
/** Requests at the same time: in all, to services that may not answer, to one that answers, to one that may not. */
const sendingMax = 50
const unsureMax = 25
const answeringHostMax = 20
const unsureHostMax = 2
/** How long a service is paused after one failure to answer, and after repeated ones. */
const restsMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs] as const

type Host = {
  sending: number
  /** Whether the last request was answered: one that never was may be anything. */
  answers: boolean
  failures: number
  restsUntil: number
  usedAt: number
}

/**
 * How many requests each service gets: a push service that does not answer has at most two requests in flight and is
 * then paused, and services that may not answer leave half of the requests to those that do. In memory: after a start
 * each one is new.
 */
function createHosts(clock: Pick<Clock, 'now'>) {
  const hosts = new Map<string, Host>()
  let sending = 0
  let unsure = 0
  const restsUntil = (name: string): number => hosts.get(name)?.restsUntil ?? 0
  return {
    restsUntil,
    /** Whether a request may be sent to it now. */
    hasRoom: (name: string): boolean => {
      const host = hosts.get(name)
      if (sending >= sendingMax || restsUntil(name) > clock.now()) return false
      if (host?.answers === true) return host.sending < answeringHostMax
      return (host?.sending ?? 0) < unsureHostMax && unsure < unsureMax
    },
    /** @returns to be called once, with whether it was answered */
    begin: (name: string): ((isAnswered: boolean) => void) => {
      const host = hosts.get(name) ?? { sending: 0, answers: false, failures: 0, restsUntil: 0, usedAt: 0 }
      hosts.set(name, host)
      const { answers, restsUntil: before } = host
      host.sending += 1
      sending += 1
      if (!answers) unsure += 1
      return (isAnswered) => {
        const now = clock.now()
        host.sending -= 1
        sending -= 1
        if (!answers) unsure -= 1
        host.usedAt = now
        host.answers = isAnswered
        if (isAnswered) Object.assign(host, { failures: 0, restsUntil: 0 })
        // Requests of the same time that all fail are one failure.
        else if (host.restsUntil === before) {
          host.restsUntil = now + (restsMs[Math.min(host.failures, restsMs.length - 1)] ?? hourMs)
          host.failures += 1
        }
      }
    },
    /** Forgets those that were not asked for an hour. */
    forgetOld: (): void => {
      for (const [name, { sending: inFlight, usedAt }] of hosts)
        if (inFlight === 0 && usedAt + hourMs < clock.now()) hosts.delete(name)
    },
  }
}

/** Where a notification goes: to a device of a member, by the host of its push service. */
export type Target = { memberId: string; sessionId: string; host: string }

/** What may be sent at the same time: members take turns, and none waits for another one's push service. */
export function createSendingLimits(clock: Pick<Clock, 'now'>) {
  const { hasRoom, begin, restsUntil, forgetOld } = createHosts(clock)
  /** By member, the devices that a request is in flight to. */
  const sending = new Map<string, Set<string>>()
  return {
    restsUntil,
    forgetOld,
    mayBegin: ({ memberId, sessionId, host }: Target): boolean => {
      const devices = sending.get(memberId)
      const isFree = devices === undefined || (devices.size < memberMax && !devices.has(sessionId))
      return isFree && hasRoom(host)
    },
    /** @returns to be called once, with whether it was answered */
    begin: ({ memberId, sessionId, host }: Target): ((isAnswered: boolean) => void) => {
      const end = begin(host)
      const devices = sending.get(memberId) ?? new Set()
      sending.set(memberId, devices.add(sessionId))
      return (isAnswered) => {
        end(isAnswered)
        devices.delete(sessionId)
        if (devices.size === 0) sending.delete(memberId)
      }
    },
  }
}
