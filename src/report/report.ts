import { appVersion } from '../../contract/constants.ts'
import type { Connection, Streams } from '../../streams/index.ts'
import { currentLanguage } from '../text/i18n.ts'
import { knownFailures } from '../start/reportFailure.ts'
import { runningScript } from '../start/runningScript.ts'
import { saveFile } from '../lib/saveFile.ts'
import { session } from '../state/session.ts'
import { previousPage, reportedPage } from './pages.ts'
import { reportFormat, reportName, reportVersion, type ReportFile } from './reportFile.ts'

export type ReportStreams = Pick<Streams, 'clock' | 'connection$' | 'recentFrames' | 'dropped'>

const errorsMax = 20

/**
 * The app's current state and the last ten seconds of prices. No data of the member: no id, order, amount or token.
 * @param streams null if they could not be loaded
 */
export function createReport(streams: ReportStreams | null): ReportFile {
  const now = streams?.clock.now() ?? 0
  const savedAt = now > 0 ? now : Date.now()
  const toSavedTime = savedAt - performance.now()
  return {
    format: reportFormat,
    version: reportVersion,
    savedAt,
    appVersion,
    build: runningScript()?.split('/').at(-1) ?? '',
    venueBuild: session.appInfo?.build ?? null,
    page: reportedPage(location.hash),
    previousPage: previousPage(),
    language: currentLanguage(),
    userAgent: navigator.userAgent,
    screen: { width: screen.width, height: screen.height, pixelRatio: devicePixelRatio },
    window: { width: innerWidth, height: innerHeight },
    connection: streams && connectionOf(streams),
    online: navigator.onLine,
    clock: { synced: streams?.clock.synced ?? false, offsetMs: now > 0 ? now - Date.now() : null },
    dropped: streams?.dropped() ?? 0,
    errors: knownFailures()
      .slice(-errorsMax)
      .map(({ monotonicAt, kind, resource }) => ({
        at: Math.round(monotonicAt + toSavedTime),
        kind,
        resource: resource.startsWith('/pages/') ? reportedPage(resource) : resource,
      })),
    wire: streams?.recentFrames() ?? { products: [], frames: [] },
  }
}

/** Saves a report on the device, and returns the file's name. Nothing is sent. */
export function saveReport(streams: ReportStreams | null): string {
  const report = createReport(streams)
  const name = reportName(report.savedAt)
  saveFile(new Blob([JSON.stringify(report)], { type: 'application/json' }), name)
  return name
}

function connectionOf({ connection$ }: ReportStreams): ReportFile['connection'] {
  let current: Connection | undefined
  connection$.subscribe((connection) => (current = connection)).unsubscribe()
  return current ? { ...current, lastHeartbeatAt: current.lastHeartbeatAt ?? null } : null
}
