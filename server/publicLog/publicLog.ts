import { bytesToHex } from '@noble/hashes/utils.js'
import type { LogReport } from '../../contract/status.ts'
import type { VenueConfig } from '../../contract/venueConfig.ts'
import type { Settings } from '../config.ts'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { readSetting, writeSetting } from '../db/settingValue.ts'
import type { Module } from '../module.ts'
import type { Clock, Cluster, Market, Random, Report } from '../ports.ts'
import { logOriginSettingKey } from '../secrets.ts'
import type { Secrets } from '../secrets.ts'
import type { SettingWatch } from '../settingWatch.ts'
import { createAppender, hasGoneBack } from './appender.ts'
import { createLogReader } from './logReader.ts'
import type { LogReader } from './logReader.ts'
import { createLogReport } from './logReport.ts'
import { readCheckpoints, saveWitnessed } from './logStore.ts'
import { mountLog } from './routes.ts'
import { createSignedFile } from './signedFile.ts'
import { createSigner } from './signer.ts'
import { createWitnessRound } from './witnesses.ts'
import type { WitnessCounts } from './witnesses.ts'

export type PublicLogParts = {
  db: Db
  fence: Fence
  clock: Clock
  random: Random
  market: Pick<Market, 'ids' | 'head' | 'gaps' | 'flushedAt'>
  cluster: Pick<Cluster, 'isLeading'> | null
  settings: Pick<Settings, 'publicUrl' | 'dataDir' | 'logWitnesses' | 'role'>
  secrets: Pick<Secrets, 'logKey'>
  settingWatch: SettingWatch
  report: Report
}

/** The public log of the market: every second its heads, in a Merkle tree that the venue signs and witnesses cosign. */
export type PublicLog = Pick<LogReader, 'prove' | 'figures'> & {
  /** What went wrong with each witness since this process started. */
  witnessCounts(): readonly WitnessCounts[]
  /** What `GET /api/config` states about it; `logKey` is null until the first leader has started. */
  config(): Pick<VenueConfig, 'logKey' | 'logWitnesses'>
  /** What the status page states about it; null until it has a leaf. Reads the database. */
  report(): Promise<LogReport | null>
}

/** Looked at this often for a flush of another second, so that each second with one has its leaf. */
const appendEveryMs = 250
/** So often a standby reads what the leader has signed: it knows then if the database loses that before it takes over. */
const rememberEveryMs = 250
/** After a failure. */
const retryMs = 1000
/** With the time of one round, each witness is asked at least every ten seconds. */
const witnessEveryMs = 5000

export async function openPublicLog(parts: PublicLogParts): Promise<PublicLog & Module> {
  const { db, fence, clock, cluster, settings, secrets, settingWatch, report } = parts
  const signer = createSigner(secrets.logKey)
  const signedFile = createSignedFile(settings.dataDir)
  const appender = createAppender({ ...parts, signer, signedFile })
  const reader = createLogReader(parts)
  let origin = await readOrigin(db)
  settingWatch.follow(logOriginSettingKey, (value) => {
    if (typeof value === 'string') origin = value
  })
  let waitUntil = 0
  const append = async (): Promise<void> => {
    if (origin === null || clock.now() < waitUntil) return
    try {
      await appender.append(origin)
    } catch (error) {
      waitUntil = clock.now() + retryMs
      throw error
    }
  }
  const remember = async (): Promise<void> => {
    if (cluster === null || cluster.isLeading()) return
    // What says that the database does not answer are others: this would say it four times a second.
    const signed = (await readCheckpoints(db).catch(() => null))?.signed
    if (!signed) return
    const known = await signedFile.read(signed.origin)
    if ((known?.size ?? 0) < signed.size) await signedFile.write(signed.origin, signed.note)
  }
  const witnessRound = createWitnessRound({
    witnesses: settings.logWitnesses,
    reader,
    newest: async () => (await readCheckpoints(db)).signed,
    save: (checkpoint) => saveWitnessed({ db, fence }, checkpoint),
    report,
  })
  return {
    prove: (order) => reader.prove(order),
    figures: () => reader.figures(),
    witnessCounts: witnessRound.counts,
    config: () => ({
      logKey: origin === null ? null : signer.verifierKey(origin),
      logWitnesses: settings.logWitnesses.map(({ keyText }) => keyText),
    }),
    report: createLogReport(db, settings.logWitnesses),
    mount: (app) => mountLog(app, reader),
    start: async () => {
      appender.forget()
      origin = await openOrigin(parts, signedFile, await readOrigin(db))
      settingWatch.onStored()
    },
    jobs: [
      { name: 'add to the public log', everyMs: appendEveryMs, run: append },
      ...(cluster !== null && settings.role !== 'edge'
        ? [
            {
              name: 'remember the public log',
              everyMs: rememberEveryMs,
              run: remember,
              onEveryNode: true,
            },
          ]
        : []),
      ...(settings.logWitnesses.length > 0
        ? [{ name: 'ask the witnesses of the public log', everyMs: witnessEveryMs, run: witnessRound.run }]
        : []),
    ],
  }
}

async function readOrigin(db: Db): Promise<string | null> {
  const origin = await readSetting(db, logOriginSettingKey)
  return typeof origin === 'string' ? origin : null
}

/**
 * The name of the log: chosen at the first start and kept in the database, and chosen anew if the database went back to
 * before something that was signed under it.
 */
async function openOrigin(
  { db, fence, settings, random, report }: PublicLogParts,
  signedFile: ReturnType<typeof createSignedFile>,
  stored: string | null,
): Promise<string> {
  if (stored !== null && !(await hasGoneBack(db, signedFile, stored))) return stored
  const host = settings.publicUrl === null ? 'uptick.invalid' : new URL(settings.publicUrl).host
  const origin = `${host}/log/${bytesToHex(random.bytes(4))}`
  if (stored !== null)
    report(
      'the database is older than what was signed: the public log goes on under another name',
      new Error(`was ${stored}, is ${origin}`),
    )
  await fence.transaction(db, (tx) => writeSetting(tx, logOriginSettingKey, origin))
  return origin
}
