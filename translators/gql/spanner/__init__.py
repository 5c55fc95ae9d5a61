"""The parts that render Spanner's GQL; `translators.gql.spanner.dialect` joins them."""
