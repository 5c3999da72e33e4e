/**
 * SQL for the status of a row `r` of `region_translations`: that of its job. A part whose job is gone without a result
 * was cancelled.
 */
export const REGION_STATUS = `coalesce((SELECT CASE j.state WHEN 'running' THEN 'running' ELSE 'queued' END
      FROM jobs AS j WHERE j.document_id = r.document_id AND j.kind = 'translate_region'
        AND j.options ->> '$.region_id' = r.id LIMIT 1),
    CASE r.status WHEN 'queued' THEN 'cancelled' ELSE r.status END)`;
