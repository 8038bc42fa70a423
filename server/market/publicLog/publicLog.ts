import { bytesToHex } from '@noble/hashes/utils.js'
import type { Pool } from 'pg'
import type { Receipt } from '../../../contract/receipt.ts'
import type { LogReport } from '../../../contract/status.ts'
import type { VenueConfig } from '../../../contract/venueConfig.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { readSetting, writeSetting } from '../../platform/db/settingValue.ts'
import type { Module } from '../../platform/module.ts'
import type { Clock, Cluster, Random, Report } from '../../platform/ports.ts'
import type { Market } from '../ports.ts'
import { logOriginSettingKey, type Secrets } from '../../platform/secrets.ts'
import type { SettingWatch } from '../../platform/settingWatch.ts'
import { createAppender, hasGoneBack } from './appender.ts'
import { createLogReader, type LogReader } from './logReader.ts'
import { createLogReport } from './logReport.ts'
import { readCheckpoints, saveWitnessed } from './logStore.ts'
import { mountLog } from './routes.ts'
import { openLogKeys } from './logKeys.ts'
import { createSignedFile } from './signedFile.ts'
import { createSigner } from './signer.ts'
import { createWitnessRound, type WitnessCounts } from './witnesses.ts'
import type { MarketSettings } from '../settings.ts'

export type PublicLogParts = {
  db: Db
  pool: Pool
  fence: Fence
  clock: Clock
  random: Random
  market: Pick<Market, 'ids' | 'head' | 'gaps' | 'flushedAt'>
  cluster: Pick<Cluster, 'isLeading'> | null
  settings: Pick<MarketSettings, 'publicUrl' | 'dataDir' | 'logWitnesses' | 'role'>
  secrets: Pick<Secrets, 'logKey'>
  settingWatch: SettingWatch
  report: Report
}

/** The public log of the market: every second its heads, in a Merkle tree that the venue signs and witnesses cosign. */
export type PublicLog = Pick<LogReader, 'prove' | 'figures'> & {
  /** The failures of each witness since this process started. */
  witnessCounts(): readonly WitnessCounts[]
  /** The name of the log; null until the first leader has started. */
  origin(): string | null
  /** Whether this node has the key that the log of this name signs with, or signed with. */
  signsAs(origin: string): boolean
  /** Receipts of the log with this name, signed by its key as one batch. */
  signReceipts(origin: string, receipts: readonly Receipt[]): string[]
  /** What `GET /api/config` states about it; `logKey` is null until the first leader has started. */
  config(): Pick<VenueConfig, 'logKey' | 'logWitnesses'>
  /** What the status page states about it; null until it has a leaf. Reads the database. */
  report(): Promise<LogReport | null>
}

/** Looked at this often for a flush of another second, so that each second with one has its leaf. */
const appendEveryMs = 250
/**
 * How often a standby reads what the leader has signed, so that it can detect a database that lost signed data before
 * it takes over.
 */
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
  const keys = await openLogKeys(parts)
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
  const remember = (): Promise<void> => rememberSigned(parts, signedFile)
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
    origin: () => origin,
    signsAs: (name) => keys.has(name, signer.publicKey),
    signReceipts: (name, receipts) => signer.signReceipts(name, receipts),
    config: () => ({
      // A node that was started with the key before states none.
      logKey: origin !== null && keys.has(origin, signer.publicKey) ? signer.verifierKey(origin) : null,
      logWitnesses: settings.logWitnesses.map(({ keyText }) => keyText),
    }),
    report: createLogReport(db, settings.logWitnesses),
    mount: (app) => mountLog(app, reader),
    start: async () => {
      appender.forget()
      origin = await openOrigin(parts, signedFile, (tx, name) => keys.store(tx, name, signer.publicKey))
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

/** For a standby: what the leader has signed. */
async function rememberSigned(
  { db, cluster }: Pick<PublicLogParts, 'db' | 'cluster'>,
  signedFile: ReturnType<typeof createSignedFile>,
): Promise<void> {
  if (cluster === null || cluster.isLeading()) return
  // What says that the database does not answer are others: this would say it four times a second.
  const signed = (await readCheckpoints(db).catch(() => null))?.signed
  if (!signed) return
  const known = await signedFile.read(signed.origin)
  if ((known?.size ?? 0) < signed.size) await signedFile.write(signed.origin, signed.note)
}

async function readOrigin(db: Db): Promise<string | null> {
  const origin = await readSetting(db, logOriginSettingKey)
  return typeof origin === 'string' ? origin : null
}

/**
 * The name of the log, once it and its key are stored. Together: a node that knew the name without the key would answer
 * orders without a receipt.
 */
async function openOrigin(
  parts: PublicLogParts,
  signedFile: ReturnType<typeof createSignedFile>,
  storeKey: (tx: DbTransaction, name: string) => Promise<void>,
): Promise<string> {
  const stored = await readOrigin(parts.db)
  const name = await chooseOrigin(parts, signedFile, stored)
  await parts.fence.transaction(parts.db, async (tx) => {
    if (name !== stored) await writeSetting(tx, logOriginSettingKey, name)
    await storeKey(tx, name)
  })
  return name
}

/**
 * The name of the log: the stored one, and another one at the first start and if the database went back to
 * before something that was signed under it.
 */
async function chooseOrigin(
  { db, settings, random, report }: PublicLogParts,
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
  return origin
}
