import type { Connection, RecentFrames } from '../../streams/index.ts'
import type { KnownFailure } from '../start/reportFailure.ts'

export const reportFormat = 'uptick-report'
export const reportVersion = 1

/** What a report says about the app and the device; none of it identifies a member. Instants are the venue's, epoch ms. */
export type ReportFacts = {
  savedAt: number
  /** The app's version, and the file of its build. */
  appVersion: string
  build: string
  /** Null before the venue has answered. */
  venueBuild: string | null
  /** The page's address without ids, except that of a product. */
  page: string
  /** The page before it; null if there was none. */
  previousPage: string | null
  language: string
  userAgent: string
  /** In CSS pixels. */
  screen: { width: number; height: number; pixelRatio: number }
  window: { width: number; height: number }
  /** Null if the streams could not be loaded. */
  connection: (Omit<Connection, 'lastHeartbeatAt'> & { lastHeartbeatAt: number | null }) | null
  /** Whether the browser says that it has a network. */
  online: boolean
  /** The venue's clock minus the device's, ms; null before the venue has answered. */
  clock: { synced: boolean; offsetMs: number | null }
  /** Frames and events that were no valid ones. */
  dropped: number
  /** Parts of the app that failed, newest last. */
  errors: readonly (Omit<KnownFailure, 'monotonicAt'> & { at: number })[]
}

/** A report as it is saved: docs/replay.md says how to play it. */
export type ReportFile = ReportFacts & {
  format: typeof reportFormat
  version: typeof reportVersion
  wire: RecentFrames
}

/** The name of a report's file, with its instant in UTC: a colon is not allowed in a name everywhere. */
export const reportName = (savedAt: number): string =>
  `uptick-report-${new Date(savedAt).toISOString().slice(0, 19).replaceAll(':', '-')}Z.json`
