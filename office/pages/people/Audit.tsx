import { useState } from 'react'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { pathWith, navigate } from '../../../src/router/hashLocation.ts'
import { useDebounced } from '../../data/useDebounced.ts'
import { useDeskList } from '../../data/useDesk.ts'
import { useTexts } from '../../i18n.ts'
import type { ScreenProps } from '../../screens.ts'
import { Entry } from '../../ui/Control.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Screen, Scroll } from '../../ui/Screen.tsx'
import { auditColumns } from './auditColumns.tsx'

const { audit } = backOfficeRoutes
const filterNames = ['kind', 'id'] as const
type FilterName = (typeof filterNames)[number]

/** Who did what and who looked at whom. Nothing in it can be changed. */
export function Audit({ query }: ScreenProps) {
  const t = useTexts()
  const [filters, setFilters] = useState<Partial<Record<FilterName, string>>>(() =>
    Object.fromEntries(filterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))),
  )
  const asked = useDebounced(filters, 300)
  const list = useDeskList(audit.list, { query: withoutBlank(asked) })
  const change = (name: FilterName, value: string): void => {
    const next = withoutBlank({ ...filters, [name]: value })
    setFilters(next)
    navigate(pathWith('/audit', next), { replace: true })
  }
  return (
    <Screen
      title={t('nav.audit')}
      tools={
        <>
          {filterNames.map((name) => (
            <Entry
              key={name}
              label={t(`audit.filter.${name}`)}
              size={16}
              value={filters[name] ?? ''}
              onValue={(value) => change(name, value)}
            />
          ))}
        </>
      }
    >
      <Scroll>
        <ListTable label={t('nav.audit')} columns={auditColumns(t)} list={list} rowId={({ id }) => id} />
      </Scroll>
    </Screen>
  )
}

const withoutBlank = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const text = value?.trim() ?? ''
      return text === '' ? [] : [[name, text]]
    }),
  )
