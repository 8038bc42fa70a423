import { Dialog } from '@base-ui/react/dialog'
import { useState, useSyncExternalStore } from 'react'
import { officeRoutes } from '../../contract/office/routes.ts'
import { navigate } from '../../src/router/hashLocation.ts'
import { Icon } from '../../src/ui/Icon.tsx'
import { cx } from '../../src/ui/cx.ts'
import { useBackCloses } from '../../src/ui/dialogs/useBackCloses.ts'
import { useOfficeCall } from '../data/useOfficeCall.ts'
import { useDebounced } from '../data/useDebounced.ts'
import { useTexts } from '../i18n.ts'
import { Keys } from '../keys/Keys.tsx'
import { currentCommands, watchCommands } from '../keys/commands.ts'
import { noteSearch } from '../state/place.ts'
import { useMay } from '../state/staff.ts'
import { FailureLine } from '../ui/FailureLine.tsx'
import { useListChoice } from '../ui/useListChoice.ts'
import { hitPath, hitText, statusText } from './hits.ts'
import styles from './Palette.module.css'

type PaletteProps = { open: boolean; /** What it begins with. */ typed: string; onClose: () => void }

/** One field for everything: commands of the screen, and members, orders and requests of the venue. */
export function Palette({ open, typed, onClose }: PaletteProps) {
  useBackCloses(open, onClose)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.scrim} />
        <Dialog.Popup className={styles.panel} aria-label={useTexts()('keys.palette')}>
          <Choices typed={typed} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type Entry = { id: string; text: string; note?: string; keys?: string; run: () => void }

/** The venue is asked from this length on, of letters or of syllables and words; each search is a row of the act log. */
const searchMin = (text: string): number =>
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(text) ? 2 : 3

function Choices({ typed, onClose }: Omit<PaletteProps, 'open'>) {
  const t = useTexts()
  const [text, setText] = useState(typed)
  const { entries, failure, isLoading, searches } = useEntries(text)
  const choose = (entry: Entry): void => {
    onClose()
    entry.run()
  }
  const { restart, fieldProps, listProps, optionProps } = useListChoice(entries, choose)
  return (
    <>
      <div className={styles.head}>
        <Icon name="magnifying-glass" size={18} />
        <input
          className={styles.input}
          {...fieldProps}
          role="combobox"
          aria-controls={listProps.id}
          aria-expanded="true"
          aria-label={t('search.field')}
          placeholder={t('search.field')}
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            restart()
          }}
        />
      </div>
      <FailureLine failure={failure} />
      <div {...listProps} aria-label={t('search.results')} className={styles.list}>
        {entries.map((entry) => (
          <Option key={entry.id} entry={entry} option={optionProps(entry)} onChoose={() => choose(entry)} />
        ))}
      </div>
      {entries.length === 0 && (
        <p className={styles.none} role="status">
          {isLoading ? t('search.searching') : t('search.none')} {searches && !isLoading && t('search.how')}
        </p>
      )}
    </>
  )
}

type OptionProps = {
  entry: Entry
  option: ReturnType<ReturnType<typeof useListChoice>['optionProps']>
  onChoose: () => void
}

/** The field keeps the focus, so a click must not take it. */
function Option({ entry, option, onChoose }: OptionProps) {
  return (
    <div
      {...option}
      className={cx(styles.entry, option['aria-selected'] && styles.active)}
      onPointerDown={(event) => {
        event.preventDefault()
        onChoose()
      }}
    >
      <span>{entry.text}</span>
      {entry.note !== undefined && <span className={styles.note}>{entry.note}</span>}
      {entry.keys !== undefined && (
        <span className={styles.keys}>
          <Keys keys={entry.keys} />
        </span>
      )}
    </div>
  )
}

/** What matches a text: what the venue found first, then commands whose name contains it. */
function useEntries(text: string) {
  const t = useTexts()
  const commands = useSyncExternalStore(watchCommands, currentCommands)
  const wanted = text.trim()
  const asked = useDebounced(wanted, 250)
  const isSearch = asked.length >= searchMin(asked) && asked === wanted
  const may = useMay()
  const enabled = may('search.find') && isSearch
  const { data, failure, isLoading } = useOfficeCall(
    officeRoutes.search.find,
    { body: { q: asked } },
    { enabled },
  )
  const hits = enabled ? (data?.items ?? []) : []
  const found: Entry[] = hits.flatMap((hit) => [
    {
      id: `${hit.kind}-${hit.id}`,
      text: hitText(hit),
      note: t('search.hit', {
        kind: t(`search.kind.${hit.kind}`),
        status: statusText(t, hit),
        found: t(`search.found.${hit.by}`),
      }),
      run: () => {
        const path = hitPath(hit, may)
        noteSearch(path.split('?')[0] ?? path, wanted)
        navigate(path)
      },
    },
    ...hit.waiting.map(({ queue, id, no }) => ({
      id: `waits-${queue}-${id}`,
      text: [t(`queue.${queue}.title`), no, hit.account].filter(Boolean).join(' · '),
      note: t('search.waits'),
      run: () => navigate(`/${queue}/${id}`),
    })),
  ])
  const matching: Entry[] = commands
    .filter(({ label }) => label !== 'keys.palette' && label !== 'keys.search')
    .map(({ label, keys, of, run }) => ({
      id: `command-${keys}-${label}`.replaceAll(/[ .]/g, '-'),
      text: t(label),
      ...(of === 'member' && { note: t('search.ofMember') }),
      ...(keys !== '' && { keys }),
      run,
    }))
    .filter((entry) => entry.text.toLowerCase().includes(wanted.toLowerCase()))
  return { entries: [...found, ...matching], failure, isLoading, searches: may('search.find') }
}
