import { useId, type ReactNode, type SubmitEvent } from 'react'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { PracticeDate } from '../../features/account/PracticeDate.tsx'
import { Problem } from '../../features/forms/Problem.tsx'
import styles from './Transfer.module.css'

export type TransferFormProps = {
  title: string
  submitLabel: string
  busy: boolean
  /** Why the button is disabled; undefined if it is enabled. */
  disabledReason: string | undefined
  /** An error that concerns the whole form. */
  problem: string | undefined
  onSubmit: (form: HTMLFormElement) => void
  children: ReactNode
}

/** The page of a transfer: its fields and the submit button. */
export function TransferForm(props: TransferFormProps) {
  const id = useId()
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (!props.busy && props.disabledReason === undefined) props.onSubmit(event.currentTarget)
  }
  return (
    <Page
      ground="market"
      title={props.title}
      backTo={paths.fund}
      receives="events"
      footer={
        <>
          <Problem text={props.problem} />
          <SubmitButton form={id} busy={props.busy} disabledReason={props.disabledReason}>
            {props.submitLabel}
          </SubmitButton>
        </>
      }
    >
      <PracticeDate />
      <form id={id} className={styles.form} noValidate onSubmit={submit}>
        {props.children}
      </form>
    </Page>
  )
}
