import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { startOfText } from '../../../contract/fileText.ts'
import { projectRoot } from '../../../server/platform/paths.ts'
import type { Trade } from './speech.ts'

/** A recorded message, when it is sent (ms after the start), and the trade in it. */
export type Frame = { afterMs: number; raw: string; trade: Trade | null }

/** A recorded message and when it was received, ms. */
export type FrameLine = { at: number; raw: string }

/**
 * The received messages of an NDJSON text: lines `{at, raw}`, or `{dir, recv_ns | recv_s, raw}` of which only those with
 * `dir` "in" count. Without an instant `at` is NaN.
 * @throws RangeError that names the line which is not a frame
 */
export function parseFrameLines(text: string): FrameLine[] {
  const frames: FrameLine[] = []
  for (const [i, line] of startOfText(text).split('\n').entries()) {
    if (line.trim() === '') continue
    const frame = parseFrameLine(line)
    if (frame === undefined) throw new RangeError(notAFrame(i + 1))
    if (frame !== null) frames.push(frame)
  }
  return frames
}

export const notAFrame = (line: number): string => `line ${line} is no frame: {"at": ms, "raw": text}`

/** The message in a line of such a text; null: one that was sent, undefined: it is no frame. */
export function parseFrameLine(line: string): FrameLine | null | undefined {
  const frame = parseLine(line)
  if (typeof frame?.raw !== 'string') return undefined
  const { dir, at, recv_ns: ns, recv_s: s, raw } = frame
  return dir === 'out' ? null : { at: at ?? (ns === undefined ? Number(s) * 1000 : ns / 1e6), raw }
}

type Line = { dir?: string; at?: number; recv_ns?: number; recv_s?: string; raw?: unknown }

function parseLine(line: string): Line | undefined {
  try {
    return (JSON.parse(line) ?? undefined) as Line | undefined
  } catch {
    return undefined
  }
}

/**
 * Reads recorded messages of Binance, from a path or the name of a file in `tests/fixtures/frames`. Their instants are
 * moved to the time of the replay, in place and at equal length; everything else is sent as it was recorded.
 */
export function readFrames(file: string, startAt: number, speed: number): Frame[] {
  const path = existsSync(file) ? file : join(projectRoot, 'tests/fixtures/frames', file)
  const lines = parseFrameLines(gunzipSync(readFileSync(path)).toString())
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
