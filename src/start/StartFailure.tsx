import { EmptyState } from '../ui/EmptyState.tsx'
import { Button } from '../ui/Button.tsx'
import { lazyStreams } from './lazyStreams.ts'
import { saveReport } from '../report/report.ts'

/** The language pack could not be loaded, so these texts are inline, in the default language and in English. */
export function StartFailure() {
  return (
    <EmptyState
      icon="cloud-slash"
      title="加载失败 / Could not start"
      action={
        <Button icon="arrow-clockwise" onClick={() => location.reload()}>
          重试 / Try again
        </Button>
      }
      note={
        <Button variant="secondary" size="small" onClick={() => saveReport(lazyStreams.value ?? null)}>
          保存报告 / Save a report
        </Button>
      }
    >
      请检查网络后重试。Check your connection and try again.
    </EmptyState>
  )
}
