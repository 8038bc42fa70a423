import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { addDays, startOfDay } from '../../../contract/time.ts'
import { pathWith, navigate } from '../../../src/router/hashLocation.ts'
import { useDebounced } from '../../data/useDebounced.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useOfficeList } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import type { ScreenProps } from '../../screenProps.ts'
import { useMay, useSession } from '../../state/staff.ts'
import { Choice, Entry, Toggle } from '../../ui/Control.tsx'
import { DayEntry } from '../../ui/DayEntry.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Screen, Scroll } from '../../ui/Screen.tsx'
import { actLogNames, useActLogWord } from '../../ui/useActLogWord.ts'
import { actLogColumns } from './actLogColumns.tsx'
import { DayFiles } from './DayFiles.tsx'
import styles from './ActLog.module.css'

const { audit } = officeRoutes
const textFilters = ['actor', 'member', 'id'] as const
const dayFilters = ['from', 'to'] as const
const filterNames = ['act', 'kind', 'views', ...textFilters, ...dayFilters] as const
type Filters = Partial<Record<(typeof filterNames)[number], string>>

/** Who did what and who looked at whom. Nothing in it can be changed. */
export function ActLog({ query }: ScreenProps) {
  const t = useTexts()
  const word = useActLogWord()
  const may = useMay()
  const { zone } = useSession()
  const [filters, setFilters] = useState<Filters>(() =>
    Object.fromEntries(filterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))),
  )
  const asked = useDebounced(filters, 300)
  const list = useOfficeList(audit.list, { query: queryOf(asked, zone) })
  const change = (name: keyof Filters, value: string): void => {
    const next = withoutBlank({ ...filters, [name]: value })
    setFilters({ ...filters, [name]: value })
    navigate(pathWith('/audit', next), { replace: true })
  }
  return (
    <Screen
      title={t('nav.audit')}
      tools={
        (may('accounting.actions') || may('accounting.movements')) && <DayFiles filters={fileQuery(asked)} />
      }
    >
      <FilterBar filters={filters} onChange={change} />
      <Scroll>
        <Sums sums={list.first?.sums ?? []} word={word} />
        <ListTable
          label={t('nav.audit')}
          columns={actLogColumns({ t, word, may, format: useOfficeFormat() })}
          list={list}
          rowId={({ id }) => id}
          empty={showsViews(filters) ? t('list.empty') : t('audit.onlyViews')}
        />
      </Scroll>
    </Screen>
  )
}

type SumsProps = {
  sums: readonly { actor: string; act: string; count: number }[]
  word: ReturnType<typeof useActLogWord>
}

/** How many rows of all pages are whose and what: a person who approves more than others stands out. */
function Sums({ sums, word }: SumsProps) {
  const t = useTexts()
  const people = [...new Set(sums.map(({ actor }) => actor))]
  if (people.length === 0) return null
  return (
    <ul aria-label={t('audit.sums')} className={styles.sums}>
      {people.map((name) => (
        <li key={name}>
          <strong>{name}</strong>{' '}
          {sums
            .filter(({ actor }) => actor === name)
            .map(({ act, count }) => t('list.pair', { name: word('acts', act), value: count }))
            .join(' · ')}
        </li>
      ))}
    </ul>
  )
}

type FilterBarProps = { filters: Filters; onChange: (name: keyof Filters, value: string) => void }

function FilterBar({ filters, onChange }: FilterBarProps) {
  const t = useTexts()
  const word = useActLogWord()
  return (
    <div className={styles.filters}>
      <Choice
        label={t('audit.filter.act')}
        value={filters.act ?? ''}
        options={[
          { value: '', label: t('audit.all') },
          { value: 'view', label: t('audit.looked') },
          ...namedOptions(word, 'acts', filters.act).filter(({ value }) => value !== 'view'),
        ]}
        onValue={(value) => onChange('act', value)}
      />
      <Choice
        label={t('audit.filter.kind')}
        value={filters.kind ?? ''}
        options={[{ value: '', label: t('audit.anyKind') }, ...namedOptions(word, 'kinds', filters.kind)]}
        onValue={(value) => onChange('kind', value)}
      />
      {textFilters.map((name) => (
        <Entry
          key={name}
          label={t(`audit.filter.${name}`)}
          size={12}
          value={filters[name] ?? ''}
          onValue={(value) => onChange(name, value)}
        />
      ))}
      <span>{t('audit.whole')}</span>
      {dayFilters.map((name) => (
        <DayEntry
          key={name}
          label={t(`audit.filter.${name}`)}
          value={filters[name] ?? ''}
          onValue={(value) => onChange(name, value)}
        />
      ))}
      {(filters.act ?? '') === '' && (
        <Toggle
          label={t('audit.withViews')}
          isOn={filters.views === 'all'}
          onChange={(isOn) => onChange('views', isOn ? 'all' : '')}
        />
      )}
    </div>
  )
}

/** All names with words, and the chosen one if it has none. */
function namedOptions(
  word: ReturnType<typeof useActLogWord>,
  of: 'acts' | 'kinds',
  chosen = '',
): { value: string; label: string }[] {
  const names = [...new Set([...actLogNames(of), chosen])].filter((value) => value !== '')
  return names.map((value) => ({ value, label: word(of, value) }))
}

/** Who looked at whom is most of the log, and would hide what was done. */
const showsViews = ({ act = '', views }: Filters): boolean => act !== '' || views === 'all'

/** Days are those of the venue's zone, the last one included. */
function queryOf(filters: Filters, zone: string): Record<string, string> {
  const { from, to, views: _views, ...others } = withoutBlank(filters)
  return {
    ...others,
    ...(!showsViews(filters) && { views: 'without' }),
    ...(from !== undefined && { from: String(startOfDay(from, zone)) }),
    ...(to !== undefined && { to: String(startOfDay(addDays(to, 1), zone)) }),
  }
}

/** The file is of a day, so that the days of the list do not count. */
function fileQuery(filters: Filters): Record<string, string> {
  const { from: _from, to: _to, views: _views, ...others } = withoutBlank(filters)
  return { ...others, ...(!showsViews(filters) && { views: 'without' }) }
}

const withoutBlank = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const text = value?.trim() ?? ''
      return text === '' ? [] : [[name, text]]
    }),
  )
