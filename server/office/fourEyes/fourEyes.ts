import { and, desc, eq, gt, inArray, lte } from 'drizzle-orm'
import type { FourEyesAct, Proposal, ProposalStatus } from '../../../contract/office/fourEyes.ts'
import { dayMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db, WithinTransaction } from '../../platform/db/database.ts'
import { isOf } from './earlier.ts'
import { orConflict } from './orConflict.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { endedByVenue, proposal, type ProposalRow } from '../schema.ts'
import { belowCursor, toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import type { OfficeSettings } from '../settings.ts'
import {
  type ActRequest,
  isOtherThanSeen,
  isProposerThere,
  secondPersonNeeded,
  toProposal,
  toRequest,
  withDeciders,
} from './proposalView.ts'
import { createProposalNotes, type ProposalNotes, type ProposalNotesParts } from './proposalNotes.ts'

const proposalTtlMs = 3 * dayMs

/** Who acts: a member of staff, or the desk key, which identifies no person. */
export type Person = { actor: string; isStaff: boolean }
/**
 * Does the act for a person. `within` runs in the transaction of the effect, so that the proposal is used up exactly if
 * the effect happens.
 */
export type ActExecutor<T> = (request: ActRequest, actor: string, within: WithinTransaction) => Promise<T>
/** Does the act, or proposes it if two persons are needed: then `done` is null. */
export type ActCall<T> = (
  request: ActRequest,
  person: Person,
  isNeeded?: boolean,
) => Promise<{ done: T; proposal: null } | { done: null; proposal: Proposal }>

/**
 * Four eyes: one person proposes, another one decides. Always in live mode, and in practice mode if the setting says so
 * or two members of staff are active. The database too rejects a decision by the proposer.
 */
export type FourEyes = {
  /** Declares an act. The same call by another person confirms an open proposal, if it is the one that was seen (`confirms`). */
  define<T>(act: FourEyesAct, execute: ActExecutor<T>): ActCall<T>
  isNeeded(): Promise<boolean>
  /** What waits for another person about a subject; null if nothing does. */
  openFor(act: FourEyesAct, subject: ActRequest['subject']): Promise<Proposal | null>
  list(page: PageRequest, acts: readonly FourEyesAct[], status?: ProposalStatus): Promise<PagedList<Proposal>>
  find(id: string): Promise<Proposal>
  /** These throw `NOT_FOUND`, `CONFLICT` if it is decided or over, and `SECOND_PERSON` for the proposer. */
  confirm(id: string, person: Person): Promise<{ proposal: Proposal; result: unknown }>
  decline(id: string, person: Person, reason: string): Promise<Proposal>
  /** By the proposer only: `FORBIDDEN`. */
  cancel(id: string, person: Person): Promise<Proposal>
  /** Closes proposals that were not decided in time. */
  expire(fence: Fence): Promise<number>
}

export type FourEyesParts = ProposalNotesParts & {
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  actLog: Pick<ActLog, 'write'>
  settings: Pick<OfficeSettings, 'fourEyes'>
  countActiveStaff: () => Promise<number>
}

export function createFourEyes(parts: FourEyesParts): FourEyes {
  const { db, settings } = parts
  const notes = createProposalNotes(parts)
  const viewOf = async (row: ProposalRow): Promise<Proposal> => {
    const [view] = await withDeciders(db, [toProposal(row, await notes.of([row.id]))])
    return view ?? throwNotFound()
  }
  const executors = new Map<FourEyesAct, ActExecutor<unknown>>()
  const isNeeded = async (): Promise<boolean> =>
    settings.fourEyes === 'on' || (await parts.countActiveStaff()) >= 2
  const find = (id: string): Promise<ProposalRow> => findRow(db, id)
  return {
    isNeeded,
    openFor: async (act, subject) => {
      const open = await findOpen(parts, act, { subject })
      return open ? viewOf(open) : null
    },
    define: (act, execute) => {
      executors.set(act, execute)
      return async (request, person, needed = true) => {
        const open = await findOpen(parts, act, request)
        if (!needed || !(await isNeeded())) {
          // One suffices by now; but who proposed it opens it anew, which begins by taking the proposal back.
          if (open?.proposedBy === person.actor) throw new ApiError('SECOND_PERSON')
          // Who does it alone has no code of another person.
          const alone = { ...request, firstCodeHash: undefined }
          return {
            done: await orConflict(execute(alone, person.actor, async () => undefined)),
            proposal: null,
          }
        }
        if (!person.isStaff) throw new ApiError('SECOND_PERSON')
        if (isOtherThanSeen(request, open)) throw new ApiError('CONFLICT')
        if (!open) {
          const created = await orConflict(propose({ ...parts, notes }, act, request, person.actor))
          if (!created) throw new ApiError('CONFLICT')
          return { done: null, proposal: await viewOf(created) }
        }
        if (open.params !== JSON.stringify(request.params)) throw new ApiError('CONFLICT')
        return { done: await confirm(parts, open, person, execute), proposal: null }
      }
    },
    list: (page, acts, status) => listProposals(db, notes, page, acts, status),
    find: async (id) => viewOf(await find(id)),
    confirm: async (id, person) => {
      const row = await find(id)
      const execute = executors.get(row.act)
      if (!execute) throw new Error(`No act is called ${row.act}.`)
      const result = await confirm(parts, row, person, execute)
      // JSON leaves out what is undefined, and the contract has the field: an act may return nothing.
      return { proposal: await viewOf(await find(id)), result: result ?? null }
    },
    decline: async (id, person, reason) => {
      const row = await find(id)
      await assertOther(db, row, person)
      await orConflict(db.transaction((tx) => close(parts, tx, row, person.actor, 'declined', reason)))
      return viewOf(await find(id))
    },
    cancel: async (id, person) => {
      const row = await find(id)
      if (row.proposedBy !== person.actor || !person.isStaff) throw new ApiError('FORBIDDEN')
      await orConflict(db.transaction((tx) => close(parts, tx, row, person.actor, 'cancelled')))
      return viewOf(await find(id))
    },
    expire: (fence) => expire(parts, fence),
  }
}

/** Runs the act of a proposal for another person. */
async function confirm<T>(
  parts: FourEyesParts,
  row: ProposalRow,
  person: Person,
  execute: ActExecutor<T>,
): Promise<T> {
  await assertOther(parts.db, row, person)
  const within: WithinTransaction = (tx) => close(parts, tx, row, person.actor, 'confirmed')
  return orConflict(execute(toRequest(row), person.actor, within))
}

async function findRow(db: Db, id: string): Promise<ProposalRow> {
  const [row] = await db.select().from(proposal).where(eq(proposal.id, id))
  return row ?? throwNotFound()
}

function throwNotFound(): never {
  throw new ApiError('NOT_FOUND')
}

async function expire({ db, clock }: FourEyesParts, fence: Fence): Promise<number> {
  const over = and(eq(proposal.status, 'open'), lte(proposal.expiresAt, clock.now()))
  const set = endedByVenue(clock.now())
  const closed = await fence.transaction(db, (tx) => tx.update(proposal).set(set).where(over))
  return closed.rowCount ?? 0
}

async function listProposals(
  db: Db,
  notes: ProposalNotes,
  page: PageRequest,
  acts: readonly FourEyesAct[],
  status?: ProposalStatus,
): Promise<PagedList<Proposal>> {
  const rows = await db
    .select()
    .from(proposal)
    .where(
      and(
        inArray(proposal.act, [...acts]),
        status && eq(proposal.status, status),
        belowCursor(proposal.proposedAt, proposal.id, page),
      ),
    )
    .orderBy(desc(proposal.proposedAt), desc(proposal.id))
    .limit(page.limit + 1)
  const written = await notes.of(rows.map(({ id }) => id))
  const view = (row: ProposalRow): Proposal => toProposal(row, written)
  const listed = toPagedList(rows, page.limit, view, (row) => [row.proposedAt, row.id])
  return { ...listed, items: await withDeciders(db, listed.items) }
}

/** @throws ApiError `SECOND_PERSON` for the proposer, and for the desk key, whose holder is not identified */
async function assertOther(db: Db, row: ProposalRow, person: Person): Promise<void> {
  if (!person.isStaff || person.actor === row.proposedBy) throw await secondPersonNeeded(db, row)
}

async function findOpen(
  { db, clock }: FourEyesParts,
  act: FourEyesAct,
  { subject }: Pick<ActRequest, 'subject'>,
) {
  const [row] = await db
    .select()
    .from(proposal)
    .where(and(isOpenFor(act, subject), gt(proposal.expiresAt, clock.now())))
  return row
}

const isOpenFor = (act: FourEyesAct, subject: ActRequest['subject']) =>
  and(isOf({ act, subject }), eq(proposal.status, 'open'))

const isOpenAbout = ({ kind, id }: ActRequest['subject']) =>
  and(eq(proposal.subjectKind, kind), eq(proposal.subjectId, id), eq(proposal.status, 'open'))

/** Null if another one proposed the same at the same time, or something else about the request waits. */
async function propose(
  { db, clock, random, actLog, notes }: FourEyesParts & { notes: ProposalNotes },
  act: FourEyesAct,
  { subject, memberId, params, note, known, firstCodeHash }: ActRequest,
  actor: string,
): Promise<ProposalRow | null> {
  const proposedAt = clock.now()
  return db.transaction(async (tx) => {
    // An expired one makes room.
    await tx
      .update(proposal)
      .set(endedByVenue(proposedAt))
      .where(and(isOpenAbout(subject), lte(proposal.expiresAt, proposedAt)))
    const own = { id: random.uuid(), act, subjectKind: subject.kind, subjectId: subject.id }
    const [row] = await tx
      .insert(proposal)
      .values({
        ...own,
        memberId: memberId ?? null,
        params: JSON.stringify(params),
        proposedBy: actor,
        proposedAt,
        expiresAt: proposedAt + proposalTtlMs,
        firstCodeHash: firstCodeHash ?? null,
      })
      .onConflictDoNothing()
      .returning()
    // There is an open one.
    if (!row) return null
    if (note !== undefined) await notes.add(tx, row.id, row.memberId, note)
    await actLog.write(tx, {
      actor,
      act: 'propose',
      subject: { kind: 'proposal', id: row.id },
      ...(memberId !== undefined && { memberId }),
      details: {
        act,
        [subject.kind]: subject.id,
        ...params,
        ...known,
        ...(note !== undefined && { note: true }),
      },
    })
    return row
  })
}

/**
 * @throws ApiError `CONFLICT` if it is decided or expired, or its proposer has left, which undoes the whole transaction
 */
async function close(
  { clock, actLog }: FourEyesParts,
  tx: Parameters<WithinTransaction>[0],
  row: ProposalRow,
  actor: string,
  status: 'confirmed' | 'declined' | 'cancelled',
  reason: string | null = null,
): Promise<void> {
  const now = clock.now()
  const closed = await tx
    .update(proposal)
    .set({ status, decidedBy: actor, decidedAt: now, reason })
    .where(
      and(
        eq(proposal.id, row.id),
        eq(proposal.status, 'open'),
        gt(proposal.expiresAt, now),
        status === 'confirmed' ? isProposerThere(row) : undefined,
      ),
    )
    .returning({ id: proposal.id })
  if (closed.length === 0) throw new ApiError('CONFLICT')
  await actLog.write(tx, {
    actor,
    act: status === 'confirmed' ? 'confirm' : status === 'declined' ? 'decline' : 'cancel',
    subject: { kind: 'proposal', id: row.id },
    ...(row.memberId !== null && { memberId: row.memberId }),
    details: { act: row.act, proposedBy: row.proposedBy, ...(reason !== null && { reason }) },
  })
}
