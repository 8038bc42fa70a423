import { useRef, type ReactNode, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { goBack } from '../../router/scrollRestoration.ts'
import { paths } from '../../paths.ts'
import { Problem } from '../../features/forms/Problem.tsx'
import { LanguageSelect } from '../../shell/LanguageSelect.tsx'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { dismissToast, IconButton, Logo } from '../../ui/index.ts'
import styles from './FormPage.module.css'
import { useOutOfSight } from './useOutOfSight.ts'

export type FormPageProps = {
  title: string
  /** Above the title: "Step 1 of 2". */
  step?: ReactNode
  /** Below the title: the progress. */
  progress?: ReactNode
  backTo?: string
  submitLabel: string
  busy: boolean
  /** An error that concerns the whole form. */
  problem?: string | undefined
  /** Whether the device does the work that the venue asked for: the page says so. */
  isWorking?: boolean
  /** Why the form cannot be sent now; undefined if it can. */
  off?: string | undefined
  onSubmit: (form: HTMLFormElement) => void
  /** Replaces the form once it is done. */
  done?: ReactNode
  /** Another way than the form, below its button. */
  alternative?: ReactNode
  /** Goes back within the page; default: to the page before. */
  onBack?: () => void
  /** Below the buttons. */
  foot?: ReactNode
  children: ReactNode
}

/** A page with one form: large title, fields, submit button at the bottom. */
export function FormPage(props: FormPageProps) {
  const { t } = useTranslation()
  /** The end of the form: while it is out of view, the button covers the fields. */
  const end = useRef<HTMLDivElement>(null)
  const isButtonOverFields = useOutOfSight(end)
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    // A toast is where this form shows what is wrong.
    dismissToast()
    props.onSubmit(event.currentTarget)
  }
  return (
    <div className={styles.page} data-ground="market">
      <header className={styles.bar}>
        <span className={styles.brand}>
          <Logo name={t('common.appName')} size={26} />
        </span>
        <IconButton
          className={styles.back}
          icon="caret-left"
          label={t('common.back')}
          onClick={props.onBack ?? (() => goBack(props.backTo ?? paths.welcome))}
        />
        <LanguageSelect variant="short" />
      </header>
      <main className={styles.main}>
        {props.done ? (
          <>
            <h1 ref={focus} className={styles.title} tabIndex={-1}>
              {props.title}
            </h1>
            {props.done}
          </>
        ) : (
          <form className={styles.form} noValidate onSubmit={submit}>
            {props.step !== undefined && <p className={styles.step}>{props.step}</p>}
            <h1 className={styles.title} tabIndex={-1}>
              {props.title}
            </h1>
            {props.progress}
            <div className={styles.fields}>{props.children}</div>
            <div className={styles.end} data-over={isButtonOverFields || undefined}>
              <Problem text={props.problem} />
              <div role="status">
                {props.isWorking === true && <p className={styles.working}>{t('login.working')}</p>}
              </div>
              <SubmitButton busy={props.busy} disabledReason={props.off}>
                {props.submitLabel}
              </SubmitButton>
              {props.alternative !== undefined && (
                <div className={styles.alternative}>{props.alternative}</div>
              )}
              {props.foot !== undefined && <p className={styles.foot}>{props.foot}</p>}
            </div>
            <div ref={end} />
          </form>
        )}
      </main>
    </div>
  )
}

/** What replaces the form takes the focus, which its button had. */
const focus = (title: HTMLElement | null): void => title?.focus({ preventScroll: true })
