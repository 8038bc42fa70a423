import { useState, type FormEvent } from 'react'
import { Button } from '../ui/index.ts'
import { useLanguage } from '../hooks/useFormat.ts'
import type { ReplayControl, ReplayState } from './replayControl.ts'
import { replayTexts, type ReplayTexts } from './replayTexts.ts'
import { useReplay } from './useReplay.ts'
import styles from './ReplayPanel.module.css'

const stepMs = 1000
const gapMs = 10_000
const leadMs = 1000
const speeds = [0.1, 0.5, 1, 2, 5, 20, 100, 1000]

/**
 * Steers the recording that `npm run dev -- --replay FILE` serves: speed, pause, step, jump, and a gap of ten seconds.
 * Development builds only.
 */
export function ReplayPanel({ control }: { control: ReplayControl }) {
  const texts = replayTexts[useLanguage()]
  const { state, failure, change, fail } = useReplay(control, texts.away)
  const [time, setTime] = useState('')
  if (state === undefined) return null
  const jump = (event: FormEvent): void => {
    event.preventDefault()
    const at = instantOf(time, state.now)
    if (at === undefined) fail(texts.wrongTime)
    else change({ seek: at })
  }
  return (
    <section className={styles.panel} aria-label={texts.title}>
      {state.report && <ReportLine report={state.report} texts={texts} />}
      <Button size="small" onClick={() => change({ paused: !state.paused })}>
        {state.paused ? texts.play : texts.pause}
      </Button>
      <Button size="small" variant="secondary" onClick={() => change({ step: stepMs })}>
        {texts.step}
      </Button>
      <select
        className={styles.field}
        aria-label={texts.speed}
        value={state.speed}
        onChange={({ currentTarget }) => change({ speed: Number(currentTarget.value) })}
      >
        {speedsWith(state.speed).map((speed) => (
          <option key={speed} value={speed}>
            {speed === 'max' ? 'max' : `${speed} ×`}
          </option>
        ))}
      </select>
      <form onSubmit={jump}>
        <input
          className={styles.field}
          aria-label={texts.jumpTo}
          placeholder="14:30:05"
          value={time}
          onChange={({ currentTarget }) => setTime(currentTarget.value)}
        />{' '}
        <Button size="small" variant="secondary" type="submit">
          {texts.jump}
        </Button>
      </form>
      <Button size="small" variant="secondary" onClick={() => change({ gap: gapAfter(state) })}>
        {texts.gap}
      </Button>
      <span className={styles.at}>{texts.at(textOf(state.now), textOf(state.from), textOf(state.to))}</span>
      <span className={styles.wrong} role="alert">
        {failure}
      </span>
    </section>
  )
}

type ReportLineProps = { report: NonNullable<ReplayState['report']>; texts: ReplayTexts }
/** Whose ten seconds are played, with links to the page on which the report was saved and to the one before. */
const ReportLine = ({ report, texts }: ReportLineProps) => (
  <span className={styles.report}>
    {texts.reportOf} {new Date(report.savedAt).toISOString()}, {report.appVersion} ({report.build}),{' '}
    {texts.page} <PageLink page={report.page} />
    {report.previousPage !== null && (
      <>
        , {texts.pageBefore} <PageLink page={report.previousPage} />
      </>
    )}
  </span>
)

const PageLink = ({ page }: { page: string }) =>
  page.startsWith('/') ? <a href={`#${page}`}>{page}</a> : page

/** The offered speeds, with the one that the command line set. */
const speedsWith = (speed: number | 'max'): (number | 'max')[] =>
  speed === 'max' || speeds.includes(speed)
    ? [...speeds, ...(speed === 'max' ? [speed] : [])]
    : [speed, ...speeds]

/** Ten seconds that begin in a second: what is past by then cannot be left out any more. */
function gapAfter({ now, speed }: ReplayState): { from: number; to: number } {
  const from = now + leadMs * (speed === 'max' ? 1 : Math.max(1, speed))
  return { from, to: from + gapMs }
}

const textOf = (at: number): string => new Date(at).toISOString().slice(11, 19)

/** The next instant with this time of day. */
function instantOf(text: string, now: number): number | undefined {
  const [, hours = '', minutes = '', seconds = '0'] =
    /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text.trim()) ?? []
  if (hours === '') return undefined
  const at = new Date(now)
  at.setUTCHours(Number(hours), Number(minutes), Number(seconds), 0)
  if (at.getTime() < now) at.setUTCDate(at.getUTCDate() + 1)
  return at.getTime()
}
