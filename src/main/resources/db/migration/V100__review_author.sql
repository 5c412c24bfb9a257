-- What it is worth that the opener of a review chose what its judge sees: the place in the order self,
-- baseline, independent. Of the reviews before this column nothing is known: self.
alter table review add column author smallint not null default 0;
