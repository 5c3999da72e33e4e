import type { documentRows } from '../../../src-shared/contract/document-rows.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { DocumentRowService } from './service.ts';
import type { DocumentRowKind } from './repository.ts';

export function documentRowRoutes(service: DocumentRowService): Handlers<typeof documentRows> {
  const create =
    (kind: DocumentRowKind) =>
    (
      { body }: { body: { document_id: number } },
      call: Parameters<Handlers<typeof documentRows>['createMedication']>[1],
    ) => {
      const row = service.create(kind, { ...body }, call.caller);
      call.setRecordId(row.id);
      return row as never;
    };
  const update =
    (kind: DocumentRowKind) =>
    (
      { params, body }: { params: { id: number }; body: object },
      { caller }: Parameters<Handlers<typeof documentRows>['updateMedication']>[1],
    ) =>
      service.update(kind, params.id, { ...body }, caller) as never;
  const remove =
    (kind: DocumentRowKind) =>
    (
      { params }: { params: { id: number } },
      { caller }: Parameters<Handlers<typeof documentRows>['removeMedication']>[1],
    ) =>
      service.remove(kind, params.id, caller);
  return {
    createEncounter: create('encounter'),
    updateEncounter: update('encounter'),
    removeEncounter: remove('encounter'),
    createMedication: create('medication'),
    updateMedication: update('medication'),
    removeMedication: remove('medication'),
    createVaccination: create('vaccination'),
    updateVaccination: update('vaccination'),
    removeVaccination: remove('vaccination'),
  };
}
