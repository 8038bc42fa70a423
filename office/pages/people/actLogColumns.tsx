import type { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { moneyPattern } from '../../../contract/money.ts'
import { hrefTo } from '../../../src/router/hashLocation.ts'
import type { Format } from '../../../src/text/format.ts'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import type { Texts } from '../../i18n.ts'
import { actNameOf } from '../../ui/actNames.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { Money } from '../../ui/Money.tsx'
import type { ActLogWords, useActLogWord } from '../../ui/useActLogWord.ts'
import { When } from '../../ui/When.tsx'

export type ActLogEntry = RouteAnswer<typeof officeRoutes.audit.list>['items'][number]

type Parts = {
  t: Texts
  word: ReturnType<typeof useActLogWord>
  may: (call: string) => boolean
  format: Format
}

/** One row of the act log, by the names that screens show; ids are in the titles. It leads to the member, if the role may see one. */
export const actLogColumns = ({ t, word, may, format }: Parts): Column<ActLogEntry>[] => [
  { key: 'at', head: t('audit.at'), whole: true, cell: ({ at }) => <When at={at} /> },
  { key: 'actor', head: t('audit.filter.actor'), whole: true, cell: ({ actor }) => <strong>{actor}</strong> },
  { key: 'act', head: t('audit.filter.act'), whole: true, cell: ({ act }) => word('acts', act) },
  {
    key: 'subject',
    head: t('audit.subject'),
    whole: true,
    cell: ({ subject, account }) => (
      <span title={subject.id}>
        {word('kinds', subject.kind)}
        {subject.name !== null && subject.name !== account && ` ${subject.name}`}
      </span>
    ),
  },
  {
    key: 'member',
    head: t('audit.filter.member'),
    whole: true,
    cell: ({ memberId, account }) =>
      memberId !== null && (
        <span title={memberId}>
          {may('members.show') ? (
            <TextLink href={hrefTo(`/members/${memberId}`)}>{account ?? memberId}</TextLink>
          ) : (
            (account ?? memberId)
          )}
        </span>
      ),
  },
  { key: 'amount', head: t('column.amount'), figure: true, cell: ({ amount }) => <Money value={amount} /> },
  {
    key: 'details',
    head: t('audit.details'),
    minor: true,
    cell: ({ details, amount }) => detailsText({ t, word, format }, details, amount),
  },
]

/** The kind of word that a detail has. */
const wordsOf: Readonly<Record<string, ActLogWords>> = {
  role: 'roles',
  reason: 'reasons',
  typed: 'typed',
  purpose: 'purposes',
  kind: 'passwords',
  from: 'roles',
  to: 'roles',
  status: 'states',
  awaits: 'awaited',
}
/** In milliseconds. */
const times: ReadonlySet<string> = new Set(['until', 'opensAt'])
/** They say nothing to a person, or are in a column of their own. */
const hidden: ReadonlySet<string> = new Set([
  'hash',
  'deposit',
  'withdrawal',
  'password-request',
  'withdrawal-account',
  'member',
  'staff',
  'no',
  'isFirst',
  'limit',
])

/** Between marks, which it cannot end itself: what a person wrote is not taken for what the venue did. One word stays as it is. */
const quoted = (written: string): string =>
  /^[\p{L}\p{M}\p{N}._/-]*$/u.test(written) ? written : `“${written.replaceAll(/[“”]/g, '"')}”`

/** The further details of a row, in words: amounts, roles and reasons as screens show them. */
function detailsText(
  { t, word, format }: Pick<Parts, 't' | 'word' | 'format'>,
  details: ActLogEntry['details'],
  amount: string | null,
): string {
  const valueOf = (name: string, value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no')
    if (typeof value === 'number' && times.has(name)) return format.dateTime(value)
    if (typeof value !== 'string') return typeof value === 'number' ? String(value) : JSON.stringify(value)
    if (name === 'act') return actNameOf(t, value)
    const listed = name === 'by' ? 'found' : name === 'dangers' ? 'dangers' : null
    if (listed !== null)
      return value
        .split(' ')
        .map((part) => word(listed, part))
        .join(', ')
    const known = wordsOf[name] === undefined ? value : word(wordsOf[name], value)
    if (known !== value) return known
    return moneyPattern.test(value) ? format.money(value, 'never') : quoted(value)
  }
  return Object.entries(details)
    .filter(([name, value]) => !hidden.has(name) && value !== '' && value !== null && value !== amount)
    .map(([name, value]) => t('list.pair', { name: word('details', name), value: valueOf(name, value) }))
    .join(' · ')
}
