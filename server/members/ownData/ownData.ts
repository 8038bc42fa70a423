import { archiveName, archiveType, memberRoutes } from '../../../contract/member.ts'
import { hourMs, minuteMs } from '../../../contract/time.ts'
import { csv, type Cell } from '../../platform/csv.ts'
import { mount } from '../../platform/http/mount.ts'
import { clearSid, deviceCookieOf, setDeviceCookie } from '../../platform/http/sessionCookie.ts'
import { knownDeviceTtlMs, type KnownDevices } from '../accounts/knownDevices.ts'
import type { Module } from '../../platform/module.ts'
import { pagesByCursor, type PageRequest } from '../../platform/paging.ts'
import type { Principal } from '../../platform/ports.ts'
import { partyOf } from '../../platform/http/requestParty.ts'
import type { Confirmations } from '../../platform/http/confirmations.ts'
import { createAccountClosing, type AccountClosing, type AccountClosingParts } from './accountClosing.ts'
import { eraseClosed, type ErasureParts } from './erasure.ts'
import { removeClosedPictures } from './closedPictures.ts'
import {
  ownListsOf,
  ownProfile,
  type OwnList,
  type OwnReads,
  type OwnRow,
  type OwnValue,
} from './ownLists.ts'
import { zipPieces, type ArchiveFile } from './zipPieces.ts'

type Parts = OwnReads &
  AccountClosingParts &
  ErasureParts & {
    devices: Pick<KnownDevices, 'forget'>
    confirmations: Pick<Confirmations, 'transaction'>
  }

/** Own data as one archive, JSON for programs and CSV for people; and the end of an account. */
export type OwnData = { closing: AccountClosing }

const removePicturesEveryMs = 10 * minuteMs
const eraseEveryMs = hourMs

export function createOwnData(parts: Parts): OwnData & Module {
  const { devices, confirmations } = parts
  const closing = createAccountClosing(parts)
  const lists = ownListsOf(parts)
  return {
    closing,
    mount: (app) => {
      mount(app, memberRoutes.exportData, async ({ member, reply }) => {
        const { downloads, clock } = app.requestContext
        const pieces = zipPieces(await filesOf(parts, lists, member), clock.now())
        return downloads.stream(
          { caller: member.memberId, reply },
          { name: archiveName, type: archiveType, pieces },
        )
      })
      mount(app, memberRoutes.closeAccount, async ({ member: { memberId }, body, request, reply }) => {
        await confirmations.transaction(memberId, 'closeAccount', body, () => partyOf(request))
        const owner = await closing.close(memberId)
        clearSid(request, reply)
        const cookie = devices.forget(deviceCookieOf(request), owner)
        if (cookie !== null) setDeviceCookie(request, reply, cookie, knownDeviceTtlMs)
        return undefined
      })
    },
    jobs: [
      {
        name: 'remove pictures of closed accounts',
        everyMs: removePicturesEveryMs,
        run: () => removeClosedPictures(parts),
      },
      { name: 'erase closed accounts', everyMs: eraseEveryMs, run: () => eraseClosed(parts) },
    ],
  }
}

async function filesOf(
  reads: OwnReads,
  lists: readonly OwnList[],
  principal: Principal,
): Promise<ArchiveFile[]> {
  const profile = await ownProfile(reads, principal.memberId)
  const fields = [Object.entries(profile).map(([name, value]) => [name, cellOf(value)])]
  return [
    { name: 'profile.json', pieces: once(`${JSON.stringify(profile, null, 2)}\n`) },
    { name: 'profile.csv', pieces: csv(['field', 'value'], once(...fields)) },
    ...lists.flatMap((list) => [
      { name: `${list.name}.json`, pieces: jsonPieces(pagesOf(list, principal)) },
      { name: `${list.name}.csv`, pieces: csv(list.columns, cellsOf(pagesOf(list, principal))) },
    ]),
  ]
}

async function* once<T>(...items: T[]): AsyncGenerator<T> {
  yield* items
}

const pageRows = 100

/** Page by page, so that a long list is never in memory as a whole. */
async function* pagesOf(list: OwnList, principal: Principal): AsyncGenerator<OwnRow[]> {
  const read = (request: PageRequest) => list.page(principal, request)
  for await (const { items } of pagesByCursor(pageRows, read)) yield items
}

async function* jsonPieces(pages: AsyncIterable<readonly OwnRow[]>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield `${separator}${rows.map((row) => JSON.stringify(row)).join(',\n')}`
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

async function* cellsOf(pages: AsyncIterable<readonly OwnRow[]>): AsyncGenerator<Cell[][]> {
  for await (const rows of pages) yield rows.map((row) => Object.values(row).map(cellOf))
}

const cellOf = (value: OwnValue): Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
