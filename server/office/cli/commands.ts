import { officeRoutes } from '../../../contract/office/routes.ts'
import { staffRoles } from '../../../contract/office/staff.ts'
import { memberMarks } from '../../../contract/office/views.ts'
import type { Route } from '../../../contract/route.ts'
import { memberCommands, lookupCommands } from './memberRecordCommands.ts'
import { instantText, readDuration, readInstant } from './time.ts'
import { parseYes, text, type Command, type CommandInput } from './command.ts'
import { readFile } from './readFile.ts'

const status = text('STATUS', 'only with this status: under_review, successful or failed')
const reason = { ...text('TEXT', 'the reason; the member sees it'), required: true } as const

const opensAt = text('TIME', 'when it opens automatically: 2026-05-01T02:00Z, epoch ms, or 30m from now')
const opensAtBody = (input: CommandInput): { opensAt?: number } => {
  const typed = input['opens-at']
  return typed === undefined ? {} : { opensAt: readInstant(typed, Date.now()) }
}

const ofDay = (route: Route): Command => ({
  route,
  positionals: ['day'],
  query: (input) => ({ day: input['day'] }),
})

const forSecond = text('TEXT', 'for the second person, if it takes two')

type ReviewNoun = Pick<
  typeof officeRoutes,
  'deposits' | 'withdrawals' | 'verifications' | 'password-requests'
>

function reviewCommands(
  noun: keyof ReviewNoun,
  own: Pick<Command, 'columns' | 'photos'>,
): Record<string, Command> {
  const routes = officeRoutes[noun]
  const statuses =
    noun === 'verifications'
      ? { ...status, help: 'only with this status: under_review, verified or rejected' }
      : status
  return {
    list: {
      route: routes.list,
      options: { status: statuses, member: text('ID', 'only of this member') },
      query: (input) => ({ status: input['status'], memberId: input['member'] }),
      ...(own.columns && { columns: own.columns }),
    },
    show: { route: routes.show, positionals: ['id'], ...(own.photos && { photos: own.photos }) },
    approve: {
      route: routes.approve,
      positionals: ['id'],
      ...(noun !== 'verifications' && {
        options: { note: forSecond },
        body: (input) => ({ note: input['note'] }),
      }),
    },
    reject: {
      route: routes.reject,
      positionals: ['id'],
      options: { reason },
      body: (input) => ({ reason: input['reason'] }),
    },
  }
}

/** Of a forgotten password the venue asks whether the member was called, as the office does. */
function passwordRequestCommands(): Record<string, Command> {
  const columns = ['id', 'kind', 'status', 'createdAt', 'memberId']
  return {
    ...reviewCommands('password-requests', { columns }),
    approve: {
      route: officeRoutes['password-requests'].approve,
      positionals: ['id'],
      options: {
        note: forSecond,
        called: text('yes', 'of a forgotten password: the member answered at the registered number'),
      },
      body: ({ note, called }) => ({ note, called: parseYes(called) }),
    },
  }
}

const moneyColumns = ['no', 'amount', 'status', 'createdAt', 'memberId', 'id'] as const
type PublishedNoun = 'news' | 'highlights' | 'pages'
const publishedCommands = (routes: (typeof officeRoutes)[PublishedNoun]): Record<string, Command> => ({
  publish: {
    route: routes.publish,
    positionals: ['file'],
    body: (input) => ({ file: readFile(input['file']) }),
  },
  versions: { route: routes.versions, positionals: ['id'], columns: ['version', 'at', 'author', 'changed'] },
  version: { route: routes.version, positionals: ['id', 'version'] },
  republish: { route: routes.republish, positionals: ['id', 'version'] },
})
const parseInteger = (typed: string | undefined): unknown =>
  typed !== undefined && /^\d{1,9}$/.test(typed) ? Number(typed) : typed

/** Every noun and verb of the command line. */
export const commands: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  codes: {
    list: {
      route: officeRoutes.codes.list,
      columns: ['code', 'opened', 'uses', 'issuedAt', 'issuedBy', 'revokedAt'],
    },
    issue: {
      route: officeRoutes.codes.issue,
      options: { uses: text('1-1000000', 'how many accounts it opens; any number if omitted') },
      body: (input) => ({ uses: parseInteger(input['uses']) }),
    },
    revoke: { route: officeRoutes.codes.revoke, positionals: ['id'] },
  },
  deposits: reviewCommands('deposits', { columns: moneyColumns, photos: { proofUploadId: 'proof' } }),
  withdrawals: {
    ...reviewCommands('withdrawals', { columns: moneyColumns }),
    pay: {
      route: officeRoutes.withdrawals.pay,
      positionals: ['id'],
      options: {
        reference: { ...text('TEXT', 'the reference of the bank'), required: true },
        'shared-transfer': text('yes', 'one transfer paid another withdrawal too, which has this reference'),
      },
      body: (input) => ({
        reference: input['reference'],
        sharedTransfer: parseYes(input['shared-transfer']),
      }),
    },
  },
  verifications: {
    ...reviewCommands('verifications', {
      columns: ['id', 'status', 'nationality', 'submittedAt', 'memberId'],
      photos: { frontUploadId: 'front', backUploadId: 'back' },
    }),
    revoke: {
      route: officeRoutes.verifications.revoke,
      positionals: ['id'],
      options: { reason },
      body: (input) => ({ reason: input['reason'] }),
    },
  },
  'password-requests': passwordRequestCommands(),
  'withdrawal-accounts': {
    unbind: { route: officeRoutes['withdrawal-accounts'].unbind, positionals: ['id'] },
  },
  members: {
    list: {
      route: officeRoutes.members.list,
      options: {
        account: text('TEXT', 'only accounts that start with this'),
        mark: text('MARK', `one of ${memberMarks.join(', ')}`),
      },
      query: ({ account, mark }) => ({ account, mark }),
      columns: ['account', 'nickname', 'level', 'creditScore', 'verification', 'createdAt', 'id'],
    },
    show: { route: officeRoutes.members.show, positionals: ['id'] },
    level: {
      route: officeRoutes.members.level,
      positionals: ['id', 'level?'],
      options: { level: text('1-5', 'the level, if it does not follow the ID') },
      body: (input) => ({ level: parseInteger(input['level']) }),
    },
    credit: {
      route: officeRoutes.members.credit,
      positionals: ['id', 'score?'],
      options: { score: text('0-1000', 'the score, if it does not follow the ID') },
      body: (input) => ({ creditScore: parseInteger(input['score']) }),
    },
    ...memberCommands,
  },
  ...lookupCommands,
  site: {
    show: { route: officeRoutes.site.show },
    maintenance: {
      route: officeRoutes.site.maintenance,
      options: { 'opens-at': opensAt },
      body: (input) => opensAtBody(input),
    },
    open: { route: officeRoutes.site.open },
  },
  products: {
    list: {
      route: officeRoutes.products.list,
      columns: ['id', 'code', 'status', 'opensAt', 'closesAt', 'feed', 'lastAt'],
    },
    maintenance: {
      route: officeRoutes.products.maintenance,
      positionals: ['id'],
      options: { 'opens-at': opensAt },
      body: (input) => opensAtBody(input),
    },
    open: { route: officeRoutes.products.open, positionals: ['id'] },
  },
  limits: {
    show: { route: officeRoutes.limits.show },
    withdrawals: {
      route: officeRoutes.limits.withdrawals,
      positionals: ['amount'],
      body: (input) => ({ twoPersonsAbove: input['amount'] }),
    },
  },
  news: publishedCommands(officeRoutes.news),
  highlights: publishedCommands(officeRoutes.highlights),
  pages: publishedCommands(officeRoutes.pages),
  messages: {
    send: {
      route: officeRoutes.messages.send,
      positionals: ['id'],
      options: {
        title: { ...text('TEXT', 'its title'), required: true },
        body: { ...text('TEXT', 'its text'), required: true },
        lang: text('CODE', 'the language of the text; zh-CN if omitted'),
        link: text('ROUTE', "a page of the client, such as 'pages/money/money'"),
      },
      body: ({ id, title, body, lang, link }) => ({ to: id, title, body, lang, link }),
    },
  },
  service: {
    list: {
      route: officeRoutes.service.list,
      columns: ['account', 'unread', 'at', 'from', 'memberId'],
    },
    show: {
      route: officeRoutes.service.show,
      positionals: ['id'],
      columns: ['at', 'from', 'read', 'body', 'uploadId', 'id'],
      photos: { 'items.uploadId': 'picture' },
    },
    done: { route: officeRoutes.service.done, positionals: ['id'] },
    reopen: { route: officeRoutes.service.reopen, positionals: ['id'] },
    reply: {
      route: officeRoutes.service.reply,
      positionals: ['id', 'body?'],
      options: { body: text('TEXT', 'the reply, if it does not follow the ID') },
      body: (input) => ({ body: input['body'] }),
    },
  },
  audit: {
    list: {
      route: officeRoutes.audit.list,
      options: {
        kind: text('KIND', 'only acts on this kind of subject, such as deposit'),
        subject: text('ID', 'only acts on the subject with this id, number or account'),
        member: text('ID', 'only acts that concern this member'),
        actor: text('NAME', 'only what this person did'),
        act: text('ACT', 'only this act; view: who looked at whom'),
        views: text('without', 'no rows of who looked at whom'),
        from: text('TIME', 'from this time on'),
        to: text('TIME', 'before this time'),
      },
      query: (input) => ({
        kind: input['kind'],
        id: input['subject'],
        member: input['member'],
        actor: input['actor'],
        act: input['act'],
        views: input['views'],
        from: instantText(input['from']),
        to: instantText(input['to']),
      }),
      columns: ['at', 'actor', 'act', 'subject', 'account', 'amount', 'details'],
    },
  },
  accounting: {
    actions: ofDay(officeRoutes.accounting.actions),
    movements: ofDay(officeRoutes.accounting.movements),
  },
  staff: {
    list: {
      route: officeRoutes.staff.list,
      columns: ['name', 'role', 'status', 'lastSeenAt', 'createdAt', 'id'],
    },
    create: {
      route: officeRoutes.staff.create,
      positionals: ['name'],
      options: { role: { ...text('ROLE', `one of ${staffRoles.join(', ')}`), required: true } },
      body: (input) => ({ name: input['name'], role: input['role'] }),
    },
    role: {
      route: officeRoutes.staff.role,
      positionals: ['id', 'role'],
      body: (input) => ({ role: input['role'] }),
    },
    disable: { route: officeRoutes.staff.disable, positionals: ['id'] },
    enrol: { route: officeRoutes.staff.enrol, positionals: ['id'] },
    'reset-factors': { route: officeRoutes.staff['reset-factors'], positionals: ['id'] },
  },
  clock: {
    show: { route: officeRoutes.clock.show },
    advance: {
      route: officeRoutes.clock.advance,
      positionals: ['time'],
      body: (input) => ({ ms: readDuration(input['time'] ?? '') }),
    },
  },
}
