import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { projectRoot } from '../../../server/paths.ts'
import type { Trade } from './speech.ts'

/** A recorded message, when it is sent (ms after the start), and the trade in it. */
export type Frame = { afterMs: number; raw: string; trade: Trade | null }

/**
 * Reads recorded messages of Binance (`tests/fixtures/frames`). Their instants are moved to the time of the replay, in
 * place and at equal length; everything else is sent as it was recorded.
 */
export function readFrames(file: string, startAt: number, speed: number): Frame[] {
  const text = gunzipSync(readFileSync(join(projectRoot, 'tests/fixtures/frames', file))).toString()
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { at: number; raw: string })
  const first = lines[0]?.at ?? 0
  return lines.map(({ at, raw }, serial) => {
    const afterMs = Math.round((at - first) / speed)
    const moved = raw.replaceAll(/"([ET])":(\d{13})/g, (_, name: string, digits: string) => {
      return `"${name}":${startAt + Math.round((Number(digits) - first) / speed)}`
    })
    const match = /"s":"(\w+)".*"t":(\d+),"p":"([\d.]+)","q":"([\d.]+)"/.exec(moved)
    const tradedAt = Number(/"T":(\d+)/.exec(moved)?.[1] ?? 0)
    const trade = match && {
      serial,
      id: Number(match[2]),
      symbol: match[1]!,
      at: tradedAt,
      price: match[3]!,
      size: match[4]!,
    }
    return { afterMs, raw: moved, trade }
  })
}
