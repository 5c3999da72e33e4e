import type { children } from '../../../src-shared/contract/document-rows.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { ChildService } from './service.ts';
import type { ChildKind } from './repository.ts';

export function childRoutes(service: ChildService): Handlers<typeof children> {
  const create =
    (kind: ChildKind) =>
    (
      { body }: { body: { document_id: number } },
      call: Parameters<Handlers<typeof children>['createMedication']>[1],
    ) => {
      const made = service.create(kind, { ...body }, call.caller);
      call.made(made.id);
      return made as never;
    };
  const update =
    (kind: ChildKind) =>
    (
      { params, body }: { params: { id: number }; body: object },
      { caller }: Parameters<Handlers<typeof children>['updateMedication']>[1],
    ) =>
      service.update(kind, params.id, { ...body }, caller) as never;
  const remove =
    (kind: ChildKind) =>
    (
      { params }: { params: { id: number } },
      { caller }: Parameters<Handlers<typeof children>['removeMedication']>[1],
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
