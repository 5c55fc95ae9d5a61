"""The taxonomy of domains: what schemas and data of an industry are made of."""

from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.model import SubDomain, Taxonomy

__all__ = ["SubDomain", "Taxonomy", "load_taxonomy", "subdomain"]
