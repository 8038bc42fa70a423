import { ofetch } from 'ofetch'
import type { ReportFile } from '../report/reportFile.ts'

/** Where a replay is; instants are recorded ones, epoch ms. `uptick replay` answers this (docs/replay.md). */
export type ReplayState = {
  now: number
  /** The first and the last recorded instant. */
  from: number
  to: number
  speed: number | 'max'
  paused: boolean
  /** Present if a report is played. */
  report?: Pick<ReportFile, 'savedAt' | 'appVersion' | 'build' | 'page' | 'previousPage'>
}
export type ReplayChange = {
  speed?: number
  paused?: boolean
  /** Pauses, this many ms later. */
  step?: number
  /** A later instant. */
  seek?: number
  gap?: { from: number; to: number }
}

/** Both reject if the replay is away, `change` also if the replay rejects it. */
export type ReplayControl = {
  read(): Promise<ReplayState>
  change(change: ReplayChange): Promise<ReplayState>
}

/** @param baseURL where the replay is; default: behind this page, as in development */
export function createReplayControl(baseURL = ''): ReplayControl {
  const url = `${baseURL}/replay`
  return {
    read: () => ofetch<ReplayState>(url, { retry: 0 }),
    change: (change) => ofetch<ReplayState>(url, { method: 'POST', body: change, retry: 0 }),
  }
}
